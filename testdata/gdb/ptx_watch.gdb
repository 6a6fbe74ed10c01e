# Reads and accesses in PTX, forwards and backwards: shared memory, a structure in a lane's own memory, a condition.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduction.json --code-object testdata/ptx/co/reduction.O0.ptx
break 14 if $lane == 1 && $wave == 0
continue
delete
print partial[1] + partial[65]
rwatch -location partial[65]
awatch -location partial[1] if stride == 64
continue
continue
continue
reverse-continue
reverse-continue
reverse-continue
delete
watch stride if stride < 32
continue
kill
