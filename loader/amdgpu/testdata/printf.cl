// Calls of OpenCL's printf, for the formats that the compiler puts in the
// metadata. The buffer's allocator is of the OpenCL library, which is not
// linked here.
int printf(constant const char *format, ...) __attribute__((format(printf, 1, 2)));

global char *__printf_alloc(uint size) { return (global char *)0x1000; }

kernel void formats(int x, double d) {
  printf("x: %d \"%s\" d=%f\n", x, "str:ing\\", d);
  printf("plain\t100%%\n");
  printf("v %v4d\n", (int4)(x));
}
