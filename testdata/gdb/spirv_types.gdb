# Scalars of 8 to 64 bits.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/types.json
break 21
continue
thread 3
info locals
whatis b
whatis h
whatis l
whatis d
whatis f
p x.b
p x.d[1]
ptype x
set var f = 1.5
p f
kill
