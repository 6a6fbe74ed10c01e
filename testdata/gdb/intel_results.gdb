# What functions return in Gen9's registers and in memory: scalars, vectors,
# structures. The lane is three calls deep; the second finish adds one.
source testdata/gdb/settings
directory testdata/igc/debug/src
target remote | bin/simtgdb serve --stdio --launch testdata/igc/debug/results.json
tbreak f_char if n == 0 && $lane == 3
continue
finish
finish
tbreak f_short if n == 0 && $lane == 3
continue
finish
finish
tbreak f_half if n == 0 && $lane == 3
continue
finish
finish
tbreak f_float if n == 0 && $lane == 3
continue
finish
finish
tbreak f_double if n == 0 && $lane == 3
continue
finish
finish
tbreak f_bool if n == 0 && $lane == 3
continue
finish
finish
tbreak f_long if n == 0 && $lane == 3
continue
finish
finish
tbreak f_pointer if n == 0 && $lane == 3
continue
finish
finish
tbreak f_char3 if n == 0 && $lane == 3
continue
finish
finish
tbreak f_short4 if n == 0 && $lane == 3
continue
finish
finish
tbreak f_int3 if n == 0 && $lane == 3
continue
finish
finish
tbreak f_double2 if n == 0 && $lane == 3
continue
finish
finish
tbreak f_pair if n == 0 && $lane == 3
continue
finish
finish
tbreak f_mixed if n == 0 && $lane == 3
continue
finish
finish
tbreak f_holder if n == 0 && $lane == 3
continue
finish
finish
tbreak f_wide if n == 0 && $lane == 3
continue
finish
finish
tbreak f_vector if n == 0 && $lane == 3
continue
finish
finish
tbreak f_big if n == 0 && $lane == 3
continue
finish
finish
kill
