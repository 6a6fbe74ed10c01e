# A variable of which registers have only one half is optimized out; while they have both it has a value.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/wide.json --code-object testdata/co/wide.gfx90a.O2.co
break doubles
continue
print a
print/x (long)a >> 32
break *0x1f0c
continue
info args
print a
disconnect
