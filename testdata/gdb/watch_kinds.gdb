# Watchpoints that stop at reads, at any access, and where a condition holds: several at once, in LDS and in global memory,
# forwards and backwards. By the source, lane 1 reads partial[1] and partial[65] while stride is 64, and writes their sum
# to partial[1]; it reads partial[1] again while stride is 32. What lane 3 reads is none of lane 2's, which is looked at.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/reduction.json
break 14 if $lane == 1 && $wave == 0
continue
delete
print partial[1] + partial[65]
rwatch -location partial[65]
awatch -location partial[1]
continue
continue
continue
reverse-continue
reverse-continue
reverse-continue
delete
rwatch -location partial[1]
continue
print stride
continue
print stride
delete
print &stride
thread 3
watch -location stride
continue
delete
rwatch -location partial[3] if $lane == 2
watch -location sums[0] if *(unsigned *) sums > 0
watch -location sums[3] if *((unsigned *) sums + 3) == 0
info watchpoints
continue
print i
delete
continue
