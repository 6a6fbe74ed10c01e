# Lanes whose numbers need more than 24 bits: the program has run for some sixteen million before them.
source testdata/gdb/settings
directory testdata/debug
target remote | bin/simtgdb serve --stdio --resident 2 --grid 16777856 --block 64 --arg buf:i32[640]=zero --arg i32:16777216 testdata/debug/co/late.O0.co
break twice if value == 69
continue
bt
print $wave
print $_thread
finish
next
print out[69]
next
reverse-next
reverse-next
print value
reverse-step
reverse-step
print place
stepi
reverse-stepi
thread find wave 262145 lane 6$
thread 199
print place
thread 129
delete
watch doubled
continue
monitor time
reverse-stepi
stepi
continue
