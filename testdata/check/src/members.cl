// Kernels that leave an array which is a member of a structure, or which a pointer leads to, each beside ones that
// look like it and do not. They are run, marked and compiled as those of arrays.cl.
#include "device.h"

#define SIZE 128
#define LENGTH 8

struct pair {
  int a[LENGTH];
  int b[LENGTH];
};

struct grid {
  int rows;
  int cell[4][LENGTH];
  int end;
};

#if !defined(ONE) || defined(KERNEL_member_bounds)
// The right neighbour of the last element is in another member.
__kernel void member_bounds(__global const int *in, __global int *out) {
  __local struct pair s;
  int i = LOCAL_ID;
  if (i < LENGTH) {
    s.a[i] = in[i];
    s.b[LENGTH - 1 - i] = in[i];
  }
  BARRIER;
  int right = s.a[in[i] % LENGTH + 1];  // member_bounds
  out[GROUP * SIZE + i] = right + s.b[in[i] % LENGTH];
}
#endif

#if !defined(ONE) || defined(KERNEL_member_ok)
// A pointer to the end of a member leads back into it.
__kernel void member_ok(__global const int *in, __global int *out) {
  __local struct pair s;
  int i = LOCAL_ID, k = in[i] % LENGTH;
  if (i < LENGTH) {
    s.a[i] = in[i];
    s.b[LENGTH - 1 - i] = in[i];
  }
  BARRIER;
  __local int *end = &s.a[LENGTH], *inner = &s.b[LENGTH / 2];
  out[GROUP * SIZE + i] = s.a[LENGTH - 1 - k] + end[-1 - k] + inner[k - LENGTH / 2] + s.b[k];
}
#endif

#if !defined(ONE) || defined(KERNEL_arrow_bounds)
// The left neighbour of the first element, in a structure that a pointer leads to.
__kernel void arrow_bounds(__global const int *in, __global int *out) {
  __global const struct pair *p = (__global const struct pair *)in;
  int i = LOCAL_ID, k = in[i] % LENGTH;
  int left = p->b[k - 1];               // arrow_bounds
  out[GROUP * SIZE + i] = left + p[1].a[k];
}
#endif

#if !defined(ONE) || defined(KERNEL_arrow_ok)
// A structure is found from a member of it, and others behind and before it from it.
__kernel void arrow_ok(__global const int *in, __global int *out) {
  __global const int *b = in + 3 * LENGTH;
  __global const struct pair *p = (__global const struct pair *)(b - LENGTH);
  int i = LOCAL_ID, k = in[i] % LENGTH;
  out[GROUP * SIZE + i] = p->b[k] + p[-1].a[k] + p[1].b[LENGTH - 1 - k] + (*p).a[k];
}
#endif

#if !defined(ONE) || defined(KERNEL_element_bounds)
// A member of an element of an array is written behind its end.
__kernel void element_bounds(__global const int *in, __global int *out) {
  __local struct pair t[SIZE / LENGTH];
  int i = LOCAL_ID, y = i / LENGTH, x = i & (LENGTH - 1);
  t[y].a[x] = in[i];
  t[y].b[x] = in[i];
  BARRIER;
  if (x == LENGTH - 1)
    t[y].a[in[x] + 1] += 7;             // element_bounds
  BARRIER;
  out[GROUP * SIZE + i] = t[y].a[x] + t[y].b[x];
}
#endif

#if !defined(ONE) || defined(KERNEL_element_ok)
__kernel void element_ok(__global const int *in, __global int *out) {
  __local struct pair t[SIZE / LENGTH];
  int i = LOCAL_ID, y = i / LENGTH, x = i & (LENGTH - 1);
  t[y].a[x] = in[i];
  t[y].b[x] = in[i];
  BARRIER;
  if (x == LENGTH - 1)
    t[y].a[in[x]] += 7;
  BARRIER;
  struct pair own = t[SIZE / LENGTH - 1 - y];
  out[GROUP * SIZE + i] = t[y].a[LENGTH - 1 - x] + own.b[x] + own.a[in[x]];
}
#endif

#if !defined(ONE) || defined(KERNEL_cell_bounds)
// A row of an array of arrays in a structure is left for the next one.
__kernel void cell_bounds(__global const int *in, __global int *out) {
  __global const struct grid *g = (__global const struct grid *)in;
  int i = LOCAL_ID, x = in[i] % LENGTH, sum = 0;
  for (int y = 0; y < 3; y++)
    sum += g->cell[in[y]][x + 1];       // cell_bounds
  out[GROUP * SIZE + i] = sum;
}
#endif

#if !defined(ONE) || defined(KERNEL_cell_ok)
__kernel void cell_ok(__global const int *in, __global int *out) {
  __global const struct grid *g = (__global const struct grid *)in;
  int i = LOCAL_ID, x = in[i] % LENGTH, sum = 0;
  for (int y = 0; y < 4; y++)
    sum += g->cell[in[y]][LENGTH - 1 - x] + g->cell[3 - y][x];
  out[GROUP * SIZE + i] = sum + g->end;
}
#endif

#if !defined(ONE) || defined(KERNEL_frame_bounds)
// A structure in a frame.
__kernel void frame_bounds(__global const int *in, __global int *out) {
  struct pair s;
  int i = LOCAL_ID;
  for (int k = 0; k < LENGTH; k++) {
    s.a[in[k]] = in[i + k];
    s.b[in[k]] = in[i + k + 1];
  }
  out[GROUP * SIZE + i] = s.b[in[i] % LENGTH] + s.a[in[i] % (2 * LENGTH)]; // frame_bounds
}
#endif

#if !defined(ONE) || defined(KERNEL_frame_ok)
// What is copied, or walked through by a pointer, is more than one member.
__kernel void frame_ok(__global const int *in, __global int *out) {
  struct pair s, copy;
  int i = LOCAL_ID, sum = 0;
  for (int k = 0; k < LENGTH; k++) {
    s.a[in[k]] = in[i + k];
    s.b[LENGTH - 1 - in[k]] = in[i + k + 1];
  }
  copy = s;
  __builtin_memcpy(&s.a[0], &copy.a[0], sizeof s);
  for (int *p = s.a; p != &s.b[LENGTH]; p++)
    sum += *p;
  int *all = s.a;
  out[GROUP * SIZE + i] = sum + all[in[i] % (2 * LENGTH)] + copy.a[in[i] % LENGTH];
}
#endif

#if !defined(ONE) || defined(KERNEL_pointer_bounds)
// A pointer to rows.
__kernel void pointer_bounds(__global const int *in, __global int *out) {
  __global const int (*rows)[LENGTH] = (__global const int (*)[LENGTH])in;
  int i = LOCAL_ID, x = in[i] & (LENGTH - 1), y = in[i] / LENGTH;
  int right = rows[y][x + 1];           // pointer_bounds
  out[GROUP * SIZE + i] = right + rows[0][x];
}
#endif

#if !defined(ONE) || defined(KERNEL_pointer_ok)
__kernel void pointer_ok(__global const int *in, __global int *out) {
  __global const int (*rows)[LENGTH] = (__global const int (*)[LENGTH])(in + LENGTH);
  int i = LOCAL_ID, x = in[i] & (LENGTH - 1), y = in[i] / LENGTH;
  __global const int *end = rows[y] + LENGTH;
  out[GROUP * SIZE + i] = rows[y][LENGTH - 1 - x] + rows[-1][x] + (*rows)[x] + end[-1 - x];
}
#endif

#if !defined(ONE) || defined(KERNEL_called_bounds)
// A function gets the rows of a local array.
__attribute__((noinline)) static int right(__local int (*rows)[LENGTH], int y, int x) {
  return rows[y][x + 1];                // called_bounds
}

__kernel void called_bounds(__global const int *in, __global int *out) {
  __local int tile[SIZE / LENGTH + 1][LENGTH];
  int i = LOCAL_ID, y = i / LENGTH, x = i & (LENGTH - 1);
  tile[y][x] = in[i];
  if (i < LENGTH)
    tile[SIZE / LENGTH][i] = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = right(tile, y, x);
}
#endif

#if !defined(ONE) || defined(KERNEL_called_ok)
__attribute__((noinline)) static int same(__local int (*rows)[LENGTH], int y, int x) {
  return rows[y][x] + (*rows)[x];
}

__kernel void called_ok(__global const int *in, __global int *out) {
  __local int tile[SIZE / LENGTH][LENGTH];
  int i = LOCAL_ID, y = i / LENGTH, x = i & (LENGTH - 1);
  tile[y][x] = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = same(tile + y, 0, x) + same(&tile[y], -y, x);
}
#endif

#if !defined(ONE) || defined(KERNEL_flexible_ok)
// Arrays that stand for as many elements as there is memory for. SPIR-V has none without a size.
#ifdef __SPIR__
#define FLEXIBLE 1
#else
#define FLEXIBLE
#endif
struct flexible {
  int count;
  int data[FLEXIBLE];
};

struct hack {
  int count;
  int data[1];
};

__kernel void flexible_ok(__global const int *in, __global int *out) {
  __global const struct flexible *f = (__global const struct flexible *)in;
  __global const struct hack *h = (__global const struct hack *)in;
  int i = LOCAL_ID;
  out[GROUP * SIZE + i] = f->data[i] + h->data[i];
}
#endif

#if !defined(ONE) || defined(KERNEL_union_ok)
// Arrays that share their place with longer ones.
union views {
  int two[2];
  struct {
    int x, y;
    int rest[LENGTH - 2];
  };
  int all[LENGTH];
};

__kernel void union_ok(__global const int *in, __global int *out) {
  __local union views v;
  int i = LOCAL_ID;
  if (i < LENGTH)
    v.two[i] = in[i];
  BARRIER;
  out[GROUP * SIZE + i] = v.two[in[i] % LENGTH] + v.all[in[i] % LENGTH] + v.rest[in[i] % (LENGTH - 2)] + v.x;
}
#endif
