__attribute__((noinline)) int twice(int x) { return x * 2 + 1; }

__kernel void fill(__global int *out, int v) { out[get_global_id(0)] = v; }

__kernel void square(__global int *out) {
  int i = get_global_id(0);
  out[i] = out[i] * out[i];
}

__kernel void doubled(__global int *out) {
  int i = get_global_id(0);
  out[i] = twice(out[i]);
}
