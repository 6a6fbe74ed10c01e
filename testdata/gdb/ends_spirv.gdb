# Before the last instruction of a SPIR-V shader, and back; then to the end.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --stop-at-end always --launch testdata/spirv/launch/control.json
continue
monitor time
reverse-stepi
monitor time
continue
continue
