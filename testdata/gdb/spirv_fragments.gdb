# A variable whose value the module gives in two fragments, by two values of half its size.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/fragments.json
thread 12
break 10
continue
p m
p c
p c == m + 11
kill
