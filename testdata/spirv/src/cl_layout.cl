// Structures of OpenCL C whose members lie apart, close or in one place: clang pads the SPIR-V structure with
// members of its own, and gives a union one.
struct Apart {
  char a;
  __attribute__((aligned(16))) int b;
  short c;
};
union Place {
  int i;
  float f;
  uchar4 c;
  struct {
    short low, high;
  } parts;
};
struct __attribute__((packed)) Close {
  char a;
  int b;
  float c;
};
enum Color { RED, GREEN = 5, BLUE };
__kernel void cl_layout(__global int *out) {
  int l = get_global_id(0);
  struct Apart apart;
  apart.a = 1 + l;
  apart.b = 2 + l;
  apart.c = 3 + l;
  union Place place;
  place.f = 1.5f + l;
  struct Close close;
  close.a = 4;
  close.b = 5 + l;
  close.c = 6;
  enum Color color = l & 1 ? GREEN : BLUE;
  out[l] = apart.b + place.i + close.b + color;
}
