# An HLSL shader, whose front end inlines.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/blur.json
break 18
continue
info args
p id
p tile[3]
p weight
p count
p src[5]
ptype dst
step
bt
info args
kill
