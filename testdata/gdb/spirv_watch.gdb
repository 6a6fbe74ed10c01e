# Reads and accesses of shared memory in SPIR-V, with a condition, forwards and backwards. By the source, invocation 5 of
# a group reads part[37] and part[5] while n is 32 and writes their sum; part[i] is a[i], which is i. Invocation 37
# reads part[37] in lines 15 and 16.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/shared.json
break 17 if $lane == 5 && $wave == 0
continue
delete
rwatch -location part[37]
awatch -location part[5] if n == 32
continue
continue
continue
continue
print n
continue
print part[5]
delete 2
reverse-continue
reverse-continue
print n
kill
