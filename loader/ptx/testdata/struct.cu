// A struct by value, a virtual call, recursion, a table of constants, shared memory of both kinds: what the reader
// of PTX must know. See build.sh.
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))

struct Sum { int whole; float part; double wide; };

struct Shape { DEVICE virtual int area(int x) = 0; };
struct Square : Shape { int k; DEVICE int area(int x) override { return x * k; } };

CONSTANT float table[4] = {1, 2, 3, 4};
DEVICE int counter;
extern SHARED int dynamic[];

DEVICE __attribute__((noinline)) Sum grow(Sum s, int k) {
  s.whole += k;
  s.part *= 2;
  return s;
}

extern "C" GLOBAL void kernel(int *out, Sum s, int n) {
  SHARED int own[64];
  int i = __nvvm_read_ptx_sreg_tid_x();
  own[i & 63] = dynamic[i & 63] + i;
  __nvvm_bar_sync(0);
  Square square;
  square.k = 3;
  Shape *shape = n & 1 ? (Shape *)&square : nullptr;
  Sum t = grow(s, i);
  counter = n;
  out[i] = t.whole + shape->area(i) + own[63 - (i & 63)] + (int)table[i & 3];
}
