// Structures by value: what a function stores into its parameter stays its own.

struct S { int a[4]; };

__attribute__((noinline)) int inner(struct S p, int q) {
  p.a[1] = q;
  return p.a[0] + p.a[1];
}

__attribute__((noinline)) int outer(struct S p, int q) {
  p.a[0] += inner(p, 2 * q);
  return p.a[0] + p.a[1];
}

__kernel void byval(__global int *o, struct S t) {
  int g = get_global_id(0);
  struct S s;
  for (int i = 0; i < 4; i++) s.a[i] = 10 + i;
  int r = 0;
  if (g % 3) r = inner(s, g);
  o[2 * g] = s.a[1] * 1000 + r;
  r = outer(t, g);
  o[2 * g + 1] = (t.a[0] + t.a[1]) * 1000 + r;
}
