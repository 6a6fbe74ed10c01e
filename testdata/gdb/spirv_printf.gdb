# DebugPrintf under a debugger: text comes while the program runs.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/say.json
break 8
continue
p r[1]
next
kill
