// Each workgroup reverses its 128 numbers.
kernel void reverse(global const int *in, global int *out) {
  local int tile[128];
  int t = get_local_id(0), i = get_global_id(0);
  tile[t] = in[i];
  out[i] = tile[127 - t];
}
