// A host program of HIP with scenarios that its arguments name. Compiled as HIP it
// is one as people write them; compiled as C it does what clang makes of one, with
// the kernels from an offload bundle (KERNELS, a name in quotes).
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __HIP__
#include "kernels.hip"
#define LAUNCH2(kernel, grid, block, stream, a, b) kernel<<<dim3(grid), dim3(block), 0, stream>>>(a, b)
#define LAUNCH3(kernel, grid, block, stream, a, b, c)                                                    \
  kernel<<<dim3(grid), dim3(block), 0, stream>>>(a, b, c)
#define LAUNCH1(kernel, grid, block, stream, a) kernel<<<dim3(grid), dim3(block), 0, stream>>>(a)
#define COUNTER counter
#define BIAS HIP_SYMBOL(bias)
#define WEIGHTS HIP_SYMBOL(weights)
#define POINTER(p) (void **)&p
#else
#include "registered.h"
#endif

#define OK(call)                                                                                         \
  do {                                                                                                   \
    int error = (int)(call);                                                                             \
    if (error) {                                                                                         \
      printf("%s: error %d, %s\n", #call, error, hipGetErrorName((hipError_t)error));                    \
      exit(1);                                                                                           \
    }                                                                                                    \
  } while (0)

enum { N = 100 };

static void expect(int index, int got, int want) {
  if (got == want)
    return;
  printf("element %d is %d, not %d\n", index, got, want);
  exit(1);
}

// Twenty launches share memory.
static void twenty(void) {
  int *d, h[N];
  OK(hipMalloc(POINTER(d), sizeof h));
  LAUNCH2(fill, 2, 64, 0, d, (int)N);
  for (int i = 1; i < 20; i++)
    LAUNCH3(scale, 2, 64, 0, d, (int)N, i % 2);
  OK(hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) {
    int want = i;
    for (int k = 1; k < 20; k++)
      want = 2 * (unsigned)want + k % 2;
    expect(i, h[i], want);
  }
  OK(hipFree(d));
}

// A process that has used the device, and its child, which gets one of its own and a copy of what is registered.
static void forks(void) {
  static int pinned[2 * N];
  int *d, h[N], status = -1;
  OK(hipMalloc(POINTER(d), sizeof h));
  OK(hipHostRegister(pinned + 9, N * sizeof *pinned, 0));
  LAUNCH2(fill, 2, 64, 0, pinned + 9, (int)N);
  LAUNCH2(fill, 2, 64, 0, d, (int)N);
  OK(hipDeviceSynchronize());
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    expect(9, pinned[18], 9);
    pinned[18] = -1;
    OK(hipHostRegister(pinned, sizeof pinned, 0));
    twenty();
    exit(7);
  }
  LAUNCH3(scale, 2, 64, 0, d, (int)N, 1);
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
    printf("the child ended with %#x\n", status), exit(1);
  OK(hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost));
  expect(9, h[9], 2 * 9 + 1);
  expect(9, pinned[18], 9);
  OK(hipHostUnregister(pinned + 9));
  OK(hipFree(d));
}

// Threads that launch at the same time, each in a stream of its own.
static void *thread(void *unused) {
  hipStream_t s;
  int *d, h[N];
  (void)unused;
  OK(hipStreamCreate(&s));
  OK(hipMalloc(POINTER(d), sizeof h));
  for (int round = 0; round < 10; round++) {
    LAUNCH2(fill, 2, 64, s, d, (int)N);
    LAUNCH3(scale, 2, 64, s, d, (int)N, round);
    OK(hipMemcpyAsync(h, d, sizeof h, hipMemcpyDeviceToHost, s));
    OK(hipStreamSynchronize(s));
    for (int i = 0; i < N; i++)
      expect(i, h[i], 2 * i + round);
  }
  OK(hipFree(d));
  OK(hipStreamDestroy(s));
  return 0;
}

static void threads(void) {
  pthread_t all[8];
  for (int i = 0; i < 8; i++)
    if (pthread_create(&all[i], 0, thread, 0))
      exit(1);
  for (int i = 0; i < 8; i++)
    pthread_join(all[i], 0);
}

// The third launch of the second kernel, for --break.
static void rounds(void) {
  int *d;
  OK(hipMalloc(POINTER(d), N * sizeof *d));
  LAUNCH2(fill, 2, 64, 0, d, (int)N);
  for (int i = 0; i < 4; i++)
    LAUNCH3(scale, 2, 64, 0, d, (int)N, i);
  LAUNCH2(fill, 1, 64, 0, d, 10);
  OK(hipDeviceSynchronize());
  OK(hipFree(d));
}

// Ten thousand launches, to be measured.
static void loop(void) {
  int *d;
  OK(hipMalloc(POINTER(d), N * sizeof *d));
  for (int i = 0; i < 10000; i++)
    LAUNCH3(scale, 2, 64, 0, d, (int)N, i);
  OK(hipDeviceSynchronize());
  OK(hipFree(d));
}

// Copies of 64 MiB back and forth, to be measured.
static void copies(void) {
  enum { SIZE = 64 << 20, TIMES = 16 };
  char *h = (char *)malloc(SIZE), *d;
  memset(h, 1, SIZE);
  OK(hipMalloc(POINTER(d), SIZE));
  for (int i = 0; i < TIMES; i++) {
    OK(hipMemcpy(d, h, SIZE, hipMemcpyHostToDevice));
    OK(hipMemcpy(h, d, SIZE, hipMemcpyDeviceToHost));
  }
  OK(hipFree(d));
  free(h);
}

static void streams(void) {
  hipStream_t s[2];
  hipEvent_t begin, end;
  int *d[2], *h[2];
  OK(hipEventCreate(&begin));
  OK(hipEventCreate(&end));
  OK(hipEventRecord(begin, 0));
  for (int i = 0; i < 2; i++) {
    OK(hipStreamCreate(&s[i]));
    OK(hipMalloc(POINTER(d[i]), N * sizeof(int)));
    OK(hipHostMalloc(POINTER(h[i]), N * sizeof(int), 0));
    OK(hipMemsetAsync(d[i], 0, N * sizeof(int), s[i]));
    LAUNCH2(fill, 2, 64, s[i], d[i], (int)N);
    LAUNCH3(scale, 2, 64, s[i], d[i], (int)N, i);
    OK(hipMemcpyAsync(h[i], d[i], N * sizeof(int), hipMemcpyDeviceToHost, s[i]));
  }
  OK(hipEventRecord(end, s[1]));
  OK(hipStreamWaitEvent(s[0], end, 0));
  OK(hipEventSynchronize(end));
  for (int i = 0; i < 2; i++) {
    OK(hipStreamSynchronize(s[i]));
    for (int k = 0; k < N; k++)
      expect(k, h[i][k], 2 * k + i);
    OK(hipStreamDestroy(s[i]));
    OK(hipHostFree(h[i]));
    OK(hipFree(d[i]));
  }
  float ms = -1;
  OK(hipEventElapsedTime(&ms, begin, end));
  if (ms <= 0)
    printf("the events are %g ms apart\n", ms), exit(1);
  OK(hipEventDestroy(begin));
  OK(hipEventDestroy(end));
}

// A list of structures with pointers, in managed memory, and variables of all kinds.
typedef struct Cell {
  struct Cell *next;
  int *values;
  int count;
} Cell;

static void nodes(void) {
  int factors[4] = {1, 10, 100, 1000}, back[4];
  OK(hipMemcpyToSymbol(WEIGHTS, factors, sizeof factors, 0, hipMemcpyHostToDevice));
  OK(hipMemcpyFromSymbol(back, WEIGHTS, sizeof back, 0, hipMemcpyDeviceToHost));
  for (int i = 0; i < 4; i++)
    expect(i, back[i], factors[i]);
  Cell *first = 0;
  for (int i = 0; i < 3; i++) {
    Cell *c;
    OK(hipMallocManaged(POINTER(c), sizeof *c, 1));
    OK(hipMallocManaged(POINTER(c->values), 4 * sizeof(int), 1));
    c->next = first;
    c->count = 4;
    for (int k = 0; k < 4; k++)
      c->values[k] = i + k;
    first = c;
  }
  int *sum;
  OK(hipMallocManaged(POINTER(sum), 64 * sizeof(int), 1));
#ifdef __HIP__
  LAUNCH2(walk, 1, 64, 0, (Node *)first, sum);
#else
  LAUNCH2(walk, 1, 64, 0, first, sum);
#endif
  OK(hipDeviceSynchronize());
  expect(0, sum[0], 3 * 1 + 6 * 10 + 9 * 100 + 12 * 1000);
  expect(63, sum[63], sum[0]);
  expect(0, COUNTER, 5 + 64);
}

static void symbols(void) {
  int v = 1000, *d, h[N];
  void *where;
  OK(hipMemcpyToSymbol(BIAS, &v, sizeof v, 0, hipMemcpyHostToDevice));
  OK(hipGetSymbolAddress(&where, BIAS));
  OK(hipMemset(where, 1, 1)); // the lowest byte
  OK(hipMalloc(POINTER(d), sizeof h));
  LAUNCH2(fill, 2, 64, 0, d, (int)N);
  OK(hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost));
  for (int i = 0; i < N; i++)
    expect(i, h[i], i + (1000 & ~0xff) + 1);
}

// The program's own memory, registered.
static void registered(void) {
  int *p = (int *)malloc(3 * 4096);
  int *at = p + 5;
  at[-1] = 7;
  OK(hipHostRegister(at, N * sizeof(int), 0));
  LAUNCH2(fill, 2, 64, 0, at, (int)N);
  OK(hipDeviceSynchronize());
  for (int i = 0; i < N; i++)
    expect(i, at[i], i);
  OK(hipHostUnregister(at));
  expect(-1, at[-1], 7);
  expect(N - 1, at[N - 1], N - 1);
  free(p);
}

static void asserts(void) {
  int *d;
  OK(hipMalloc(POINTER(d), 128 * sizeof *d));
  LAUNCH2(fill, 2, 64, 0, d, 128);
  LAUNCH2(check, 2, 64, 0, d, 128);
  OK(hipDeviceSynchronize());
}

// What devices allocate at the least is 256 bytes: what leaves an allocation but not those is no fault.
static void bounds(void) {
  int *d;
  OK(hipMalloc(POINTER(d), 64 * sizeof *d));
  LAUNCH2(beyond, 2, 64, 0, d, 1);
  OK(hipDeviceSynchronize());
}

// A fault that the program does not ask for.
static void careless(void) {
  int *d;
  OK(hipMalloc(POINTER(d), 64 * sizeof *d));
  LAUNCH2(beyond, 2, 64, 0, d, 1);
  (void)hipDeviceSynchronize();
}

static void says(void) {
  printf("before\n");
  LAUNCH1(say, 1, 3, 0, 3);
  OK(hipDeviceSynchronize());
  printf("after\n");
}

// Workgroups write to the same place, in a launch that is not the first.
static void races(void) {
  int *d;
  OK(hipMalloc(POINTER(d), N * sizeof *d));
  LAUNCH2(fill, 2, 64, 0, d, (int)N);
  LAUNCH1(race, 2, 64, 0, d);
  OK(hipDeviceSynchronize());
}

// Kernels of two modules in turn: saxpy's is loaded from the file that MODULE names.
static void modules(void) {
  hipModule_t module;
  hipFunction_t saxpy;
  int *d, n = 64, h[64];
  float *x, *y, a = 2, result[64];
  OK(hipModuleLoad(&module, getenv("MODULE")));
  OK(hipModuleGetFunction(&saxpy, module, "saxpy"));
  OK(hipMalloc(POINTER(d), sizeof h));
  OK(hipMalloc(POINTER(x), sizeof result));
  OK(hipMalloc(POINTER(y), sizeof result));
  for (int i = 0; i < n; i++)
    result[i] = (float)i;
  OK(hipMemcpy(x, result, sizeof result, hipMemcpyHostToDevice));
  OK(hipMemset(y, 0, sizeof result));
  void *args[] = {&n, &a, &x, &y};
  for (int i = 0; i < 3; i++) {
    LAUNCH2(fill, 1, 64, 0, d, n);
    OK(hipModuleLaunchKernel(saxpy, 1, 1, 1, 64, 1, 1, 0, 0, args, 0));
    LAUNCH3(scale, 1, 64, 0, d, n, i);
  }
  OK(hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost));
  OK(hipMemcpy(result, y, sizeof result, hipMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    expect(i, h[i], 2 * i + 2);
    expect(i, (int)result[i], 6 * i);
  }
  OK(hipModuleUnload(module));
}

// Memory that a kernel allocates outlives its launch.
static void mallocs(void) {
  int *sum;
  OK(hipMallocManaged(POINTER(sum), sizeof *sum, 1));
  LAUNCH1(remember, 1, 64, 0, 10);
  LAUNCH1(recall, 1, 64, 0, sum);
  OK(hipDeviceSynchronize());
  expect(0, *sum, 64 * 10 + 63 * 64 / 2);
}

// A pointer of the device is none of the host's.
static void touch(void) {
  int *d;
  OK(hipMalloc(POINTER(d), sizeof *d));
  printf("touching\n");
  fflush(stdout);
  *(volatile int *)d = 1;
  printf("nothing happened\n");
}

static void forever(void) {
  int *d;
  OK(hipMalloc(POINTER(d), N * sizeof *d));
  for (;;) {
    LAUNCH2(fill, 2, 64, 0, d, (int)N);
    OK(hipDeviceSynchronize());
  }
}

// A launch that never ends: a list whose only cell is the next one of itself.
static void endless(void) {
  Cell *c;
  int *sum;
  OK(hipMallocManaged(POINTER(c), sizeof *c, 1));
  OK(hipMallocManaged(POINTER(sum), 64 * sizeof(int), 1));
  c->next = c;
  c->count = 0;
  puts("endless");
  fflush(stdout);
#ifdef __HIP__
  LAUNCH2(walk, 1, 64, 0, (Node *)c, sum);
#else
  LAUNCH2(walk, 1, 64, 0, c, sum);
#endif
  OK(hipDeviceSynchronize());
}

static void missing(void) {
  void *memory = NULL;
  int error = (int)hipIpcCloseMemHandle(memory);
  error = (int)hipIpcCloseMemHandle(memory);
  printf("%s\n", hipGetErrorName((hipError_t)error));
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } scenarios[] = {
      {"twenty", twenty},   {"rounds", rounds},   {"streams", streams}, {"nodes", nodes},
      {"symbols", symbols}, {"assert", asserts},  {"bounds", bounds},   {"careless", careless},
      {"says", says},       {"touch", touch},     {"forever", forever}, {"missing", missing},
      {"races", races},     {"modules", modules}, {"mallocs", mallocs}, {"registered", registered},
      {"loop", loop},       {"copies", copies},   {"forks", forks},     {"threads", threads},
      {"endless", endless},
  };
  for (int i = 1; i < argc; i++)
    for (unsigned k = 0; k < sizeof scenarios / sizeof *scenarios; k++)
      if (!strcmp(argv[i], scenarios[k].name)) {
        scenarios[k].run();
        printf("%s: done\n", argv[i]);
      }
  return 0;
}
