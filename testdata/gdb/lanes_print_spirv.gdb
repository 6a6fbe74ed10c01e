# Members, elements and vectors of a shader's structures, in every lane. By the source b.tags[old] is tag once line 11
# has run, and b.at is (i, 2i, 1).
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/calls.json
break push if tag == 12 && $lane == 2
continue
next
monitor lanes print b.at.y - 2 * b.at.x
monitor lanes print b.tags[old]
monitor lanes print b.tags[old - 1] + (int)b.at.z
monitor lanes print b
print b
monitor lanes print b.nothing
kill
