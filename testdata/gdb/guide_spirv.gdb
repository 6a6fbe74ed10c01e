# The guide's session with a shader.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/calls.json
break push if tag == 12
continue
backtrace
info args
up
print k
print b.tags
info threads 1-4
kill
