# A loop of optimised code in threads of 32 lanes, of which each leaves at
# another time; the second thread has 16 work-items. Variables lie in two runs of
# registers. The helper script shows Gen9's instructions.
source testdata/gdb/settings
shell bin/simtgdb gdbscript > bin/simtgdb_intel.py
source bin/simtgdb_intel.py
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/collatz.json
info args
break 11 if $lane == 26 && steps == 2
continue
info locals
info args
x/3i $pc
disassemble /r $pc, +24
print $ce
thread apply 1 8 17 28 32 -q print {i, n, steps, most}
info threads 1-4
next
print n
next
# Lanes of the other half of the registers, and of the second group.
thread 20
print {i, n, steps, most}
thread 40
print {i, n, steps, most}
delete
tbreak 18 if $lane == 31
continue
print {i, n, most}
print $ce
continue
