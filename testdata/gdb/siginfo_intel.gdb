# $_siginfo at a fault, of the lane that is at fault, of another: Gen9.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --grid 32 --block 16 --arg buf:f32[32]=zero --arg buf:i32[20]=iota --arg f32:0.5 testdata/igc/debug/tile-O0.zebin
continue
print $_siginfo.si_signo
print $_siginfo.si_code
print $_siginfo._sifields._sigfault.si_addr
thread 1
print $_siginfo.si_signo
kill
