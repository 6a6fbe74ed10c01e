# An assertion that 28 lanes of a wave do not meet: their texts, then SIGABRT.
source testdata/gdb/settings
directory testdata/printf/src
target remote | bin/simtgdb serve --stdio --launch testdata/printf/launch/fails.json
continue
bt
frame function fails
print i
kill
