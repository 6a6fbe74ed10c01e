# The signals of what else can go wrong: an atomic operation off its alignment (SIGBUS), which goes on when its cause is
# mended, and an instruction that there is not (SIGILL). Lane 3 is the only one whose pointer is changed.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/atomics.json
break 65 if $lane == 3 && $wave == 0
continue
delete
set var all = (Tally *) ((char *) all + 2)
catch signal SIGBUS SIGILL
continue
print $lane
set var $v0 = $v0 - 2
tbreak *($pc + 8)
signal 0
set var *(int *) $pc = 0xffffffff
continue
kill
