# An array that IGC keeps in registers, optimised for Intel's Gen9: its location list is
# one of no object, so that the array is optimized out, and the other variables are shown.
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
