#!/usr/bin/env bash
# Positions in the GEXF of graphology, read by networkx.
source "$(dirname "$0")/common"
install 'networkx==3.6.1'
install_npm graphology@0.26.0 graphology-gexf@0.13.2
guess 'Positions that graphology-gexf writes as viz:position are there when networkx reads the file.'
behaviour 'The writer gives viz a namespace of its own (http:/// with three slashes, GEXF 1.1, in a file of GEXF 1.2): networkx drops every position without a word.'
cat >write.cjs <<'JAVASCRIPT'
const Graph = require('graphology');
const gexf = require('graphology-gexf');
const graph = new Graph({type: 'undirected'});
graph.addNode('a', {x: 1.5, y: -2, label: 'A'});
graph.addNode('b', {x: 3, y: 4, label: 'B'});
graph.addEdge('a', 'b');
require('fs').writeFileSync('graph.gexf', gexf.write(graph));
JAVASCRIPT
node write.cjs
cat >read.py <<'PYTHON'
import re

import networkx as nx

text = open("graph.gexf").read()
print(re.search(r'xmlns="[^"]*"', text).group(), re.search(r'xmlns:viz="[^"]*"', text).group())
print(text.count("viz:position"), "positions in the file")
print(nx.read_gexf("graph.gexf").nodes(data=True))
PYTHON
seen="xmlns=\"http://www.gexf.net/1.2draft\" xmlns:viz=\"http:///www.gexf.net/1.1draft/viz\"
2 positions in the file
[('a', {'label': 'A'}), ('b', {'label': 'B'})]"
compare python read.py
