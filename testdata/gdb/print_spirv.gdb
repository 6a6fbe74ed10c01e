# A machine that prints with an instruction of its own: stops behind it.
source testdata/gdb/settings
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/say.json
monitor printf break on
continue
monitor printf
monitor printf show 2
continue
