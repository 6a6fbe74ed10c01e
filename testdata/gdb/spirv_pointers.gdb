# Buffer references: pointers into memory that no binding names.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/nodes.json
break 17
continue
thread 4
p n
p *n
p n->next->value
p *pc.head
p sum
ptype n
kill
