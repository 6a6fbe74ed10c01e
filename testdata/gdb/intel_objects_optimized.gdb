# What IGC says of objects in registers otherwise than DWARF does, optimised for Intel's Gen9: of an
# array, a value for each element without a piece; of a member that is kept alone, a piece that does
# not say of which. The array is read as it lies, in both halves of the registers, and the structure
# is optimized out.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/objects_O2.json
break 15 if i == 5
continue
info locals
thread 22
print i
print arr
print arr[1]@2
delete
continue
