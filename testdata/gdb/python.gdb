# The Python script: GPU disassembly and info lanes.
source testdata/gdb/settings
shell bin/simtgdb gdbscript > bin/simtgdb.py
source bin/simtgdb.py
target remote | bin/simtgdb serve --stdio --demo
break weigh if $lane == 9
continue
x/6i $pc
info lanes 6-12
monitor disasm 0x1b18 2
next
goto -1
goto begin
monitor time
goto end
kill
