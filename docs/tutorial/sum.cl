// Each work-item adds WIDTH numbers that lie side by side.
#define WIDTH 4
kernel void sum(global const int *in, global int *out) {
  int i = get_global_id(0);
  int total = 0;
  for (int k = 0; k <= WIDTH; k++)
    total += in[i * WIDTH + k];
  out[i] = total;
}
