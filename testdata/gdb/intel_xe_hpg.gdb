# Recursion that diverges, compiled for Intel's Xe-HPG (Arc): frames by the vISA tables, variables of
# outer frames, a return with its value, and instructions with waits on several pipelines.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/xe-hpg/recurse.json
break 6 if acc > 11
continue
backtrace
up
print n
print acc
down
finish
delete
monitor disasm $pc 4
continue
