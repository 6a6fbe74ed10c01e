# What IGC says of a vector in private memory otherwise than DWARF does, for Intel's Gen9: it has an
# address for each element, of which the first is the vector's.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/objects_O0.json
break 15 if i == 5
continue
print vec
print arr
print pair
delete
continue
