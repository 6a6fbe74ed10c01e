# Functions of OpenCL C that return structures, take them by value and have several returns; loops.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/cl_returns.json
# The line of a loop is come to in each round.
tbreak cl_returns
thread 12
break 23
continue
continue
continue
p n
delete
# A step into a line whose beginning the lane has not come by.
break 7
thread 11
continue
# Registers have the names of the module's ids: %23 is x, %24 is 20.
p $id23
p $id24
step
finish
delete
# What is returned in memory that the caller gives, and by a function that gets a copy.
break make
continue
info args
finish
break *take
continue
info args
finish
kill
