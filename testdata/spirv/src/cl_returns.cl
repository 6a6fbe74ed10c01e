// Ways to come back from a function, and loops whose line lanes come to from several places.
struct big { int a[6]; };
__attribute__((noinline)) int pick(int x) {
  if (x > 20)
    return x * 2;
  if (x == 10)
    return 7;
  return x;
}
__attribute__((noinline)) struct big make(int x) {
  struct big b;
  for (int i = 0; i < 6; i++)
    b.a[i] = x + i;
  return b;
}
__attribute__((noinline)) int take(struct big s, int q) {
  int t = s.a[1] + q;
  return t;
}
__kernel void cl_returns(__global int *o) {
  int g = get_global_id(0);
  int n = 0;
  while (n * n < g)
    n++;
  struct big b = make(pick(g));
  o[g] = n + take(b, 3);
}
