// A program of two modules, with addresses_other.hip: variables have one address, for the program, for kernels of
// both modules, in initial values, and from launch to launch.
#include <hip/hip_runtime.h>

#include <cstdio>

struct Where {
  int *value;
  const int *limit;
  int *pointed;
  int *managed;
};

__device__ int value = 3;
__constant__ int limit = 5;
__device__ int *pointer = &value;
__managed__ int shared = 7;

int follow(int *const *where, int *out);
int *address_in_other();

// take has the addresses as the kernel knows them.
__global__ void take(Where *w) { *w = {&value, &limit, pointer, &shared}; }

// same counts those that the program knows by the same ones.
__global__ void same(const Where *w, int *count) {
  *count = (w->value == &value) + (w->limit == &limit) + (w->pointed == pointer) + (w->managed == &shared);
  *w->value += *w->limit;
}

int main() {
  Where told = {}, *w;
  int *out, count = 0, wrong = 0, now = 0;
  if (hipMalloc(&w, sizeof *w) || hipMalloc(&out, sizeof *out))
    return 1;
  Where known = {};
  if (hipGetSymbolAddress((void **)&known.value, value) || hipGetSymbolAddress((void **)&known.limit, limit))
    return 2;
  known.pointed = known.value;
  known.managed = &shared;
  for (int round = 0; round < 3; round++) {
    take<<<1, 1>>>(w);
    if (hipMemcpy(&told, w, sizeof told, hipMemcpyDeviceToHost))
      return 3;
    wrong += told.value != known.value || told.limit != known.limit || told.pointed != known.pointed ||
             told.managed != known.managed;
    wrong += follow(&w->value, out) != 3 + 5 * round; // in the other module, by the kernel's own pointer
    if (hipMemcpy(w, &known, sizeof known, hipMemcpyHostToDevice))
      return 4;
    same<<<1, 1>>>(w, out);
    if (hipMemcpy(&count, out, sizeof count, hipMemcpyDeviceToHost))
      return 5;
    wrong += count != 4;
  }
  wrong += hipMemcpyFromSymbol(&now, value, sizeof now) != hipSuccess || now != 18;
  wrong += address_in_other() == known.value;
  std::printf("addresses: %d wrong\n", wrong);
}
