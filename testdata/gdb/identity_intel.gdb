# Where a lane is, on Intel's GPU: waves of 8 lanes.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/recurse.json
print $_simd_width
thread 4
print $_lane
print $_workitem_global_id
kill
