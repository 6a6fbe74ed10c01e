# Going back in SPIR-V: to a condition, out of a function, to who wrote a word, and to the beginning.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/shared.json
break 17 if $lane == 5
continue
watch -location part[37]
delete 1
reverse-continue
delete
next
reverse-next
reverse-step
reverse-continue
reverse-stepi
continue
