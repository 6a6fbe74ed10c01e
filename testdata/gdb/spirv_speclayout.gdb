# Members behind an array whose size is specialised.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/speclayout.json
break 26
continue
p own
p two[1].b
p two[1].c.y
p sizeof own
p both
thread 4
p own
p own.c.x + own.b
continue
