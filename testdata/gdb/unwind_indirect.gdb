# Lanes of one wave call different functions through a table: each function has
# the lanes that called it, and the others wait at the call.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/function_table.json --code-object testdata/co/function_table.gfx90a.O2.co --grid 64
break subtract
continue
backtrace
monitor waves
thread apply 1-6 -q backtrace
# nested makes a call of its own.
break nested
continue
backtrace
delete
break add
continue
thread apply 1-6 -q backtrace
kill
