# An OpenCL kernel with OpenCL.DebugInfo.100.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/cl_nodes.json
break walk if k == 3
continue
bt
info args
p *n
p n->next->at
p weights
next
next
next
p s
finish
p $
up 0
info locals
p p
p nodes[2].next->tag
ptype Node
kill
