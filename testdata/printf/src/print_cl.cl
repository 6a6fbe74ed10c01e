// print_cl: conversions of every kind, vectors and strings of several lengths,
// from a kernel that diverges; every text begins with its work-item.
void odd(int i, int v) {
  for (int k = 0; k < v % 4; k++)
    printf("%d: odd %d %ld %hhd %hd %#o %s %d\n", i, k, (long)v << 33, (char)(v * 37),
           (short)(v * 3701), v, "four", v);
}

void even(int i, int v) {
  float f = v * 0.25f;
  printf("%d: even %f %g %e %10.3f %a\n", i, f, f / 3.0f, f * 1024.0f, -f, f);
  printf("%d: vectors %v4hlf|%+.1v3hlf|%v2hld %5v8hhd %v16hhx\n", i, (float4)(f, 1, -2, 0.5f),
         (float3)(1, f, 3), (int2)(v, -v), (char8)(1, 2, 3, 4, 5, 6, 7, v), (uchar16)(v));
  if (v % 3 == 0)
    printf("%d: three %v3hd %v3ld %v2lf %v2hhu %v3hhu %f\n", i, (short3)(v, -1, 2),
           (long3)(v, 1L << 40, -v), (double2)(v, 0.1), (uchar2)(v, 255), (uchar3)(1, 2, v), 0.5);
}

kernel void print_cl(global const int *in, global int *results) {
  int i = get_global_id(0);
  int v = in[i];
  results[i] = printf("%d: start %5d|%-5d|%05d %u %x %c%%:\t%s\n", i, v, v, v, -v, v * 1000,
                      'a' + v % 26, "colon:");
  if (v & 1)
    odd(i, v);
  else
    even(i, v);
  printf("%d: end %s%s|%s|%s|%s %d\n", i, "", "abc", "four", "fives", "eightlet", v);
}
