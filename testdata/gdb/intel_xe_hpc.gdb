# Recursion that diverges, compiled for Intel's Xe-HPC (Ponte Vecchio): frames by the vISA tables, variables of
# outer frames, a return with its value, registers of 64 bytes and four flag registers.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/xe-hpc/recurse.json
break 6 if acc > 11
continue
backtrace
up
print n
print acc
down
ptype $gpu_r60
print $gpu_r60
set $gpu_r60[15] = 77
print $gpu_r60
monitor registers r60 acc3
finish
delete
monitor disasm $pc 4
continue
