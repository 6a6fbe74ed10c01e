# The same kind of shader after spirv-opt -O: inlined frames, values in pieces.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/calls.json
break push
continue
bt
info args
p b.tags[1]
up
info locals
p b
p &b
next
info frame
delete
tbreak scale3
continue
bt
p v
p v.y
p k
up
p b.mass
kill
