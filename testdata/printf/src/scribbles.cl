// scribbles: formats that no compiler stops, then a kernel that overwrites its
// own printf buffer, which its first work-item does.
kernel void scribbles(global const int *in) {
  int i = get_global_id(0);
  printf("%d: before %\n", i);
  printf("%d: %n %y %s|\n", i, i, i);
  printf("%d: %100000d|\n", i, i);
  if (i == 0) {
    global uint *buffer = *(global uint *constant *)(__builtin_amdgcn_implicitarg_ptr() + 72);
    for (uint k = buffer[0] / 4 + 2; k < 20000; k++)
      buffer[k] = k * 2654435761u;
    buffer[0] = 0xffffff00;
  }
  printf("%d: after\n", i);
}
