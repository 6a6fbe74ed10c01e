# Three variables of one name: two loops' and the function's.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/control.json
thread 6
tbreak 53 if i == 3 && j == 4
continue
p i
p j
tbreak 60 if i == 2
continue
p i
tbreak 69
continue
p i
thread 6
p i
p sum
kill
