"""What a drawing is made of; `draw` puts it together, `notebook` shows it.

`way` is what is walked and in which colours, `caption` the line that says it; `page` is where everything goes, `lines`
where moves and edges of squares run on it, and `canvas` the figure they are put on.  `parts` are colours, frames and
arrows that explain a drawing.
"""
