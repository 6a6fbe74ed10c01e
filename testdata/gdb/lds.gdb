# Variables in LDS by name, of several sizes, -O0 and -O2.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/lds.json
break 25 if $wave == 1 && $lane == 3
continue
print scaled[0]@4
print pairs[63]
print halves[5]
print total
print turn
print &turn
print scaled[other]
set var turn = 100
print turn
kill
# Another program: gdb must forget the symbols and breakpoints of the first.
delete
file
target remote | bin/simtgdb serve --stdio --launch testdata/launch/lds.json --code-object testdata/co/lds.gfx942.O2.co
break 26 if $wave == 1
continue
print scaled[0]@4
print pairs[63]
print halves[5]
print total
print turn
print &pairs
kill
