# A pipeline of PAL, not linked: its variables, its text, a stop where it prints.
source testdata/gdb/settings
directory testdata/pal/src
target remote | bin/simtgdb serve --stdio --launch testdata/pal/launch/tables.json
break 18
continue
bt
print id
print value
print other
print weighted
delete
monitor printf prefix on
monitor printf break on
continue
bt
kill
