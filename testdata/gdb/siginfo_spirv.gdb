# $_siginfo at a fault, of the lane that is at fault, of another: SPIR-V.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --kernel main --groups 2 --binding 0.0=u32[100]=iota --binding 0.1=u32[2]=zero testdata/spirv/shared.Od.spv
continue
print $_siginfo.si_signo
print $_siginfo.si_code
print $_siginfo._sifields._sigfault.si_addr
thread 1
print $_siginfo.si_signo
kill
