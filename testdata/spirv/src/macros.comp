#version 450
// Macros, which compilers leave out of their debug information, but not out of the text in it.
#define SIDE 8
#define SQUARE(x) ((x) * (x)) // of a number
#define SUM(a, b) \
  ((a) + (b))
#ifdef NOWHERE
#define HIDDEN 1
#endif
layout(local_size_x = SIDE) in;
layout(set = 0, binding = 0) buffer B { uint v[]; } b;
void main() {
  uint i = gl_GlobalInvocationID.x;
  b.v[i] = SQUARE(i) + SIDE;
#undef SIDE
#define SIDE 9
  b.v[i] += SUM(i, SIDE);
}
