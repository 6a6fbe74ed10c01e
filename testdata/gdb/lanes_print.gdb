# Lanes by where they stand, and the values that variables have in them. By the source, depth is i % 7 at first and path
# is 1 there.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio --launch testdata/launch/recursion.json
break walk if depth == 0
continue
monitor lanes
monitor lanes print depth
monitor lanes print workgroup path
monitor lanes print/x all path
monitor lanes print nothing
monitor lanes print $exec
print depth
thread 1
monitor lanes print depth
kill
