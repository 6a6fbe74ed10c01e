// shapes2: virtual functions of classes with two bases, called through either, and pointers to members.
#include "look.h"

struct Named {
  int name;
  __device__ virtual int score() const { return name; }
};
struct Sized {
  short width, height;
  __device__ virtual int area() const { return width * height; }
};
struct Box : Named, Sized {
  int depth;
  __device__ int score() const override { return name * 2 + depth; }
  __device__ int area() const override { return 2 * (width * height + width * depth + height * depth); }
};
struct Disc : Sized {
  __device__ int area() const override { return width * width * 3; }
};

__device__ NOINLINE int areas(const Sized *const *shapes, int count) {
  int total = 0;
  for (int i = 0; i < count; i++)
    total = total * 5 + shapes[i]->area();
  return total;
}

KERNEL shapes2(const unsigned *in, unsigned *out, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  Box box;
  box.name = id;
  box.width = (short)(in[id] % 50);
  box.height = (short)(in[id] / 64 % 50);
  box.depth = (int)(in[id] >> 20) % 50;
  Disc disc;
  disc.width = disc.height = (short)(id % 13);
  Sized plain;
  plain.width = 3;
  plain.height = (short)id;
  const Sized *shapes[3] = {&box, &disc, &plain};
  if (in[id] & 1)
    shapes[0] = &plain;
  int total = areas(shapes, 3);
  const Named *named = &box;
  int score = named->score();
  int Box::*member = in[id] & 2 ? &Box::depth : (int Box::*)&Named::name;
  int chosen = box.*member;
  look(id);
  out[4 * id] = (unsigned)total;
  out[4 * id + 1] = (unsigned)score;
  out[4 * id + 2] = (unsigned)chosen;
  out[4 * id + 3] = (unsigned)((const Sized &)box).area();
}
