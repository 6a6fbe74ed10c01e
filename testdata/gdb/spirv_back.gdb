# Going back in a kernel as SPIR-V: over lines, out of a function to the call, and into one that has returned. By the source,
# work-item 3 adds up nodes 3 and 6: 0x41c00000 * 100 + 0x41c8 + 0x42400000 * 10 + 0x4244 is 1166050316 in 32 bits.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/cl_nodes.json
break walk if k == 3
continue
delete
monitor time
next
next
p s
reverse-next
reverse-finish
next
reverse-step
reverse-step
p s
bt
reverse-continue
kill
