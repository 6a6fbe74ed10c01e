# Frames of a lane.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json
break walk if depth == 4 && $lane == 6
continue
backtrace
up
info args
# The frame that is selected has its variables; the GPU's registers are those
# of the innermost frame, whatever frame is selected.
print path
print $s33
monitor registers s33
monitor frame
finish
# A lane that is not in the call has its own frames.
thread 8
backtrace
kill
