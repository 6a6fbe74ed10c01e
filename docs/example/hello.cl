// Every work-item says what it has.
kernel void hello(global const int *in) {
  int i = get_global_id(0);
  int v = in[i];
  if (v % 2)
    printf("work-item %d: odd %d\n", i, v);
  else
    printf("work-item %d: even %v2hld\n", i, (int2)(v, v / 2));
  printf("work-item %d: done\n", i);
}
