# Macros of the text that a module has: where they are defined, and as what.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/macros.json
break 14
continue
print SIDE
print SQUARE(3)
info macro SUM
info macro HIDDEN
next
print SIDE
print SUM(i, SIDE)
kill
