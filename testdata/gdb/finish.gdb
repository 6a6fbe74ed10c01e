# What functions return, as the calling convention of the CPU that gdb is shown has
# it: the same values for every CPU.
source testdata/gdb/settings
directory testdata/debug
set trace-commands off
set print frame-info short-location
target remote | bin/simtgdb serve --stdio --code-object testdata/debug/co/returned.O0.co --kernel returned --grid 64 --block 64 --arg buf:u8[1200000]=zero
tbreak r_bool thread 6
continue
finish
tbreak r_int thread 6
continue
finish
tbreak r_long thread 6
continue
finish
tbreak r_half thread 6
continue
finish
tbreak r_float thread 6
continue
finish
tbreak r_double thread 6
continue
finish
tbreak r_enum thread 6
continue
finish
tbreak r_float2 thread 6
continue
finish
tbreak r_float3 thread 6
continue
finish
tbreak r_double2 thread 6
continue
finish
tbreak r_half4 thread 6
continue
finish
tbreak r_uchar4 thread 6
continue
finish
tbreak r_short8 thread 6
continue
finish
tbreak r_one thread 6
continue
finish
tbreak r_one_float thread 6
continue
finish
tbreak r_three thread 6
continue
finish
tbreak r_mixed thread 6
continue
finish
tbreak r_eight thread 6
continue
finish
tbreak r_nine thread 6
continue
finish
tbreak r_twelve thread 6
continue
finish
tbreak r_doubles thread 6
continue
finish
tbreak r_long_float thread 6
continue
finish
tbreak r_nested thread 6
continue
finish
tbreak r_sixteen thread 6
continue
finish
tbreak r_many thread 6
continue
finish
tbreak r_shorts thread 6
continue
finish
tbreak r_halves thread 6
continue
finish
tbreak r_fields thread 6
continue
finish
tbreak r_few_fields thread 6
continue
finish
tbreak r_word thread 6
continue
finish
tbreak r_pair thread 6
continue
finish
tbreak r_union_long thread 6
continue
finish
tbreak r_with_union thread 6
continue
finish
tbreak r_with_vector thread 6
continue
finish
tbreak r_packed thread 6
continue
finish
tbreak r_derived thread 6
continue
finish
tbreak r_static thread 6
continue
finish
tbreak r_owner thread 6
continue
finish
kill
