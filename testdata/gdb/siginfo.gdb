# $_siginfo at a fault, of the lane that is at fault, of another: gfx9.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --kernel vecadd --grid 128 --block 64 --arg buf:f32[100]=iota --arg buf:f32[128]=iota --arg buf:f32[128]=zero --arg i32:128 testdata/co/vecadd.gfx90a.O0.co
continue
print $_siginfo.si_signo
print $_siginfo.si_code
print $_siginfo._sifields._sigfault.si_addr
thread 65
print $_siginfo.si_signo
kill
