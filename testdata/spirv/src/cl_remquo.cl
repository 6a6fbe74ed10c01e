// The remainder and the lowest bits of the quotient, of scalars in some work-items and of vectors in all.
__kernel void remainders(__global const float *x, __global const double *y, __global float *r, __global int *q,
                         __global double *rd) {
  int g = get_global_id(0);
  int n;
  int2 m;
  double2 a = (double2)(x[g], y[g]);
  rd[g] = remquo(a, a.yx, &m).y;
  q[2 * g] = m.y;
  if (g % 3 != 1) {
    r[g] = remquo(x[g], (float)y[g], &n);
    q[2 * g + 1] = n;
  }
}
