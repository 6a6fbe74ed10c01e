# The helper script on SPIR-V, most of whose instructions are longer than gdb lets those of x86-64 be: a row for
# each 16 bytes. monitor disasm has each instruction whole. Vectors, which are structures.
source testdata/gdb/settings
directory testdata/spirv/src
shell bin/simtgdb gdbscript > bin/simtgdb_spirv.py
source bin/simtgdb_spirv.py
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/calls.json
break push if $_lane == 9
continue
monitor disasm $pc 3
x/6i $pc
disassemble /r $pc,+20
display/i $pc
stepi
print b
print b.at
print gl_GlobalInvocationID
kill
