graph [
  node [
    id 0
    label "hub"
  ]
  node [
    id 1
    label "anna"
  ]
  node [
    id 2
    label "bert"
  ]
  node [
    id 3
    label "carl"
  ]
  node [
    id 4
    label "dora"
  ]
  node [
    id 5
    label "emil"
  ]
  edge [
    source 0
    target 1
  ]
  edge [
    source 0
    target 2
  ]
  edge [
    source 0
    target 3
  ]
  edge [
    source 0
    target 4
  ]
  edge [
    source 0
    target 5
  ]
  edge [
    source 1
    target 2
  ]
  edge [
    source 1
    target 5
  ]
  edge [
    source 2
    target 3
  ]
  edge [
    source 3
    target 4
  ]
  edge [
    source 4
    target 5
  ]
]
