# Specialised constants, which lengths of arrays follow.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/spec.json
break 18
continue
p t
p sizeof t
p s
kill
