/* A program with most of what C has in debug information. */
#include <stdarg.h>

typedef unsigned char byte;
typedef int (*binary)(int, int);

enum color { RED, GREEN = 5, BLUE = -3 };

struct point {
  int x, y;
  unsigned flags : 3, kind : 5;
};

union word {
  double d;
  unsigned long u;
  byte bytes[8];
};

struct list {
  struct point at;
  union word w;
  struct list *next;
  enum color color;
  const volatile char *name;
  binary combine;
  int grid[3][4];
};

static int counter;
int table[10] = {1, 2, 3};

static inline int clamp(int v, int low, int high) {
  if (v < low)
    return low;
  return v > high ? high : v;
}

__attribute__((noinline)) static int add(int a, int b) { return a + b; }

__attribute__((noinline)) int sum(struct list *l, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    int part = clamp(l->grid[i % 3][i % 4], 0, 100);
    if (part & 1) {
      long odd = (long)part * 3;
      total += (int)odd;
    } else {
      total = l->combine(total, part);
    }
  }
  return total;
}

__attribute__((noinline)) int variadic(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int s = 0;
  while (n-- > 0)
    s += va_arg(ap, int);
  va_end(ap);
  return s;
}

__attribute__((noinline)) int variable(int n) {
  int room[n + 1];
  for (int i = 0; i <= n; i++)
    room[i] = table[i % 10];
  return room[n];
}

int main(int argc, char **argv) {
  struct list l = {.at = {1, 2, 3, 4}, .combine = add, .name = argv[0], .color = GREEN};
  l.grid[1][2] = argc;
  counter += sum(&l, 12);
  return variadic(3, counter, variable(argc), 7) & 0x7f;
}
