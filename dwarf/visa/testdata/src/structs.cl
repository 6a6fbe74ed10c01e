struct point { int x, y; };
struct box { struct point lo, hi; float weight; };

__attribute__((noinline)) float area(struct box b) {
  return (b.hi.x - b.lo.x) * (b.hi.y - b.lo.y) * b.weight;
}

__attribute__((noinline)) struct point middle(struct box *b) {
  struct point p = {(b->lo.x + b->hi.x) / 2, (b->lo.y + b->hi.y) / 2};
  return p;
}

__kernel void structs(__global float *out, __global const int *in,
                      struct point origin) {
  int i = get_global_id(0);
  struct box b = {origin, {in[i], in[i + 1]}, 0.5f};
  struct point m = middle(&b);
  out[i] = area(b) + m.x - m.y;
}
