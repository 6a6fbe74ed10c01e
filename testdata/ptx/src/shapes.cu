// shapes: virtual functions of two bases, called through tables by lanes that have objects of different classes.
#include "gpu.h"

struct Named {
  __device__ virtual int name() const { return 7; }
};

struct Shape {
  int size;
  __device__ Shape(int s) : size(s) {}
  __device__ virtual int area() const = 0;
  __device__ virtual int edges() const { return 1; }
};

struct Square : Shape, Named {
  __device__ Square(int s) : Shape(s) {}
  __device__ int area() const override { return size * size; }
  __device__ int edges() const override { return 4; }
  __device__ int name() const override { return size + 100; }
};

struct Bar : Shape {
  int width;
  __device__ Bar(int s, int w) : Shape(s), width(w) {}
  __device__ int area() const override { return size * width; }
  __device__ int edges() const override { return Shape::edges() + 3; }
};

struct Dot : Shape {
  __device__ Dot() : Shape(0) {}
  __device__ int area() const override { return -1; }
};

__device__ NOINLINE int describe(const Shape *s) { return s->area() * 10 + s->edges(); }

KERNEL shapes(const int *input, int *output, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int value = input[id];
  Square square(value % 50);
  Bar bar(value % 20, id);
  Dot dot;
  const Shape *all[3] = {&square, &bar, &dot};
  int total = 0;
  for (int k = 0; k < 2; k++)
    total = total * 3 + describe(all[(unsigned)(value + k) % 3]);
  const Named *named = &square;
  output[id] = total + named->name();
}
