# Optimised code of stock clang says nothing of how to unwind it: the record of
# calls knows. outer, middle and inner each keep own in v40 and save what their
# caller has there.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/preserved.json --code-object testdata/co/preserved.gfx90a.O2.co --grid 64
tbreak *inner
continue
monitor frame
# Every instruction of inner before its call, and after it.
set trace-commands off
while $pc < (long)&inner + 0x160
  backtrace -frame-info short-location -frame-arguments none
  frame apply level 1-2 -q printf "own %#x\n", own
  stepi
end
set trace-commands on
# Frame 0 has its own value where frames 1 and 2 have theirs.
print $v40
frame apply level 0-2 -q print own
monitor registers v40 s34 s35 exec
# The function that inner calls ends in a tail call: its frame is gone then.
tbreak last
continue
backtrace
frame apply level 1-3 -q print own
# A value written to frame 2 is what middle goes on with.
frame function middle
set var own = 0x7777
tbreak *(long)inner+0x164
continue
set trace-commands off
while $pc >= (long)inner && $pc < (long)inner + 0x23c
  backtrace -frame-info short-location -frame-arguments none
  frame apply level 1-2 -q printf "own %#x\n", own
  stepi
end
set trace-commands on
print own
kill
