# The end of a kernel of OpenCL C lies in a function of the compiler's around it, where the source's names mean nothing:
# what one types to find who wrote a value is an address.
source testdata/gdb/settings
directory testdata/src
target remote | bin/simtgdb serve --stdio testdata/co/matmul_cl.gfx90a.O0.co --grid 16,16 --block 16,16 --arg a=buf:f32[256]=iota --arg b=buf:f32[256]=fill:1 --arg c=buf:f32[256] --arg n=16 --stop-at-end always
continue
watch *(float *) 0x7e0010040004
reverse-continue
kill
