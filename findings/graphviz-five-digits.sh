#!/usr/bin/env bash
# Coordinates of a map, written by Graphviz.
source "$(dirname "$0")/common"
install_npm @viz-js/viz@3.31.0
guess 'Positions that nop2 takes over come back in DOT as they were, apart from a shift of the drawing.'
behaviour 'Graphviz 16.1 writes five digits, in DOT, JSON and plain text alike: places half a unit apart at 123456 become one.'
cat >digits.cjs <<'JAVASCRIPT'
const {instance} = require('@viz-js/viz');
const places = {a: '123456.7,0', b: '123456.2,0', c: '0,1000.25'};
const nodes = Object.entries(places).map(([name, place]) => `${name} [pos="${place}"];`).join(' ');
instance().then((viz) => {
  console.log('Graphviz', viz.graphvizVersion);
  for (const format of ['dot', 'json0']) {
    const text = viz.renderString(`graph { ${nodes} }`, {format, engine: 'nop2'});
    const written = [...text.matchAll(/pos"?[=:] ?"([^"]+)"/g)].map((match) => match[1]);
    console.log(format, written.join('  '));
  }
});
JAVASCRIPT
seen='Graphviz 16.1.0
dot 1.2348e+05,18  1.2348e+05,18  27,1018.2
json0 1.2348e+05,18  1.2348e+05,18  27,1018.2'
compare node digits.cjs
