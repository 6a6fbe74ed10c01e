# An array of 40 elements that IGC keeps in registers, optimised for Intel's Gen9, and read from
# where it lies: see intel_objects_optimized. Of the last eight, which nothing reads, IGC left out the stores.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/promoted.json
break 11
continue
info locals
print arr
print arr[3]
delete
continue
