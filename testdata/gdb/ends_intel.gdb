# The same on Gen9.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --stop-at-end always --launch testdata/igc/debug/tile.json
continue
monitor time
reverse-stepi
monitor time
continue
continue
