# The helper script: commands for lanes, in a warp of 32.
source testdata/gdb/settings
directory testdata/src
shell bin/simtgdb gdbscript > bin/simtgdb_ptx.py
source bin/simtgdb_ptx.py
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json --code-object testdata/ptx/co/recursion.O0.ptx
break walk if $laneid == 9 && depth == 2
continue
lane apply 7-9 print depth
lane
kill
