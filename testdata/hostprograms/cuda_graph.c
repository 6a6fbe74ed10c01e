// A host program of CUDA's driver API: graphs that are made node by node, and addresses to which memory is mapped.
//   usage: cuda_graph FILE    a module with saxpy(int n, float a, const float *x, float *y)
#define _GNU_SOURCE
#include "expect.h"
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef int (*function)();
static void *library;

static function find(const char *name) {
  function f = (function)dlsym(library, name);
  if (!f) printf("no %s\n", name), exit(1);
  return f;
}
#define CU(name, ...) OK(find(#name)(__VA_ARGS__))

typedef struct {
  void *function;
  unsigned grid[3], block[3], shared;
  void **params, **extra;
} kernel_node;

typedef struct {
  size_t x, y, z, level;
  int kind;
  void *host, *device, *array, *reserved;
  size_t pitch, height;
} side;

typedef struct {
  side from, to;
  size_t width, height, depth;
} copy_node;

typedef struct {
  void *to;
  size_t pitch;
  unsigned value, element;
  size_t width, height;
} fill_node;

enum { HOST = 1, DEVICE };

static void graphs(void *saxpy, void *context) {
  float host[N], out[N], a = 2, b = 3, *x, *y;
  int n = N;
  for (int i = 0; i < N; i++) host[i] = i;
  CU(cuMemAlloc_v2, &x, sizeof host);
  CU(cuMemAlloc_v2, &y, sizeof host);
  void *graph, *exec, *copy, *fill, *kernel, *back, *args[] = {&n, &a, &x, &y};
  copy_node c = {.from = {.kind = HOST, .host = host}, .to = {.kind = DEVICE, .device = x}, .width = sizeof host,
                 .height = 1, .depth = 1};
  copy_node d = {.from = {.kind = DEVICE, .device = y}, .to = {.kind = HOST, .host = out}, .width = sizeof host,
                 .height = 1, .depth = 1};
  fill_node f = {y, 0, 0x3f800000, 4, N, 1};
  kernel_node k = {saxpy, {4, 1, 1}, {32, 1, 1}, 0, args, NULL};
  CU(cuGraphCreate, &graph, 0);
  CU(cuGraphAddMemcpyNode, &copy, graph, NULL, 0L, &c, context);
  CU(cuGraphAddMemsetNode, &fill, graph, NULL, 0L, &f, context);
  k.grid[0] = 0; // not known yet
  CU(cuGraphAddKernelNode, &kernel, graph, (void *[]){copy, fill}, 2L, &k);
  k.grid[0] = 4;
  CU(cuGraphKernelNodeSetParams, kernel, &k);
  CU(cuGraphAddMemcpyNode, &back, graph, &kernel, 1L, &d, context);
  CU(cuGraphInstantiate_v2, &exec, graph, NULL, NULL, 0L);
  CU(cuGraphLaunch, exec, NULL);
  CU(cuCtxSynchronize, );
  for (int i = 0; i < N; i++) expect("graph", out[i], 1 + 2 * i);
  kernel_node got = {0};
  CU(cuGraphKernelNodeGetParams, kernel, &got);
  expect("block", got.block[0], 32);
  args[1] = &b;
  CU(cuGraphExecKernelNodeSetParams, exec, kernel, &k);
  f.value = 0x40000000;
  CU(cuGraphExecMemsetNodeSetParams, exec, fill, &f, context);
  CU(cuGraphLaunch, exec, NULL);
  CU(cuCtxSynchronize, );
  for (int i = 0; i < N; i++) expect("changed graph", out[i], 2 + 3 * i);
  // Rows of a part, by a copy of three dimensions.
  float part[3][4] = {{0}};
  copy_node p = {.from = {.x = 8, .y = 1, .kind = DEVICE, .device = y, .pitch = 40, .height = 10},
                 .to = {.kind = HOST, .host = part, .pitch = sizeof part[0]}, .width = 12, .height = 3, .depth = 1};
  CU(cuMemcpy3D_v2, &p);
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < 4; i++) expect("part", part[r][i], i < 3 ? 2 + 3 * ((r + 1) * 10 + 2 + i) : 0);
  CU(cuGraphExecDestroy, exec);
  CU(cuGraphDestroy, graph);
  CU(cuMemFree_v2, x);
  CU(cuMemFree_v2, y);
}

// node is CUgraphNodeParams.
typedef struct {
  int type, reserved[3];
  union {
    kernel_node kernel;
    struct {
      uint64_t handle;
      int type;
      unsigned size;
      void **bodies;
    } condition;
    struct {
      char pool[104];
      size_t size;
      float *at;
    } memory;
    void *graph;
    char room[240];
  };
} node;

enum { NODE_KERNEL, NODE_GRAPH = 4, NODE_ALLOC = 10, NODE_FREE, NODE_CONDITION = 13, IF = 0, WHILE, SWITCH };

// add adds y += a x of one element, of which the graph keeps a.
static void add(void **out, void *graph, void *before, void *saxpy, float a, float *x, float *y) {
  int n = 1;
  void *args[] = {&n, &a, &x, &y};
  node k = {NODE_KERNEL, .kernel = {saxpy, {1, 1, 1}, {1, 1, 1}, 0, args, NULL}};
  CU(cuGraphAddNode_v2, out, graph, before ? &before : NULL, NULL, before ? 1L : 0L, &k);
}

// condition adds graphs that depend on a handle.
static void condition(void **out, void *graph, void *before, uint64_t handle, int type, unsigned size, node *c) {
  *c = (node){NODE_CONDITION, .condition = {handle, type, size, NULL}};
  CU(cuGraphAddNode_v2, out, graph, before ? &before : NULL, NULL, before ? 1L : 0L, c);
}

// conditions: a loop that counts, by a number that is 0 after three times and an if within it; and a choice from three.
static void conditions(void *saxpy, void *context) {
  float one = 1, *x, *counts, out[4];
  void *graph, *exec, *n, *loop, *first;
  uint64_t down, which;
  node l, i, c;
  int type;
  CU(cuMemAlloc_v2, &x, 4L);
  CU(cuMemAlloc_v2, &counts, sizeof out);
  CU(cuMemcpyHtoD_v2, x, &one, 4L);
  CU(cuMemsetD8_v2, counts, 0, sizeof out);
  CU(cuGraphCreate, &graph, 0);
  CU(cuGraphConditionalHandleCreate, &down, graph, context, 0x40400000, 1); // 3.0 at each launch
  CU(cuGraphConditionalHandleCreate, &which, graph, context, 1, 1);
  condition(&loop, graph, NULL, down, WHILE, 1, &l);
  add(&first, l.condition.bodies[0], NULL, saxpy, -1, x, (float *)down);
  add(&n, l.condition.bodies[0], first, saxpy, 1, x, counts);
  condition(&n, l.condition.bodies[0], first, down, IF, 2, &i); // not the last time, and only then
  add(&n, i.condition.bodies[0], NULL, saxpy, 1, x, counts + 1);
  add(&n, i.condition.bodies[1], NULL, saxpy, 10, x, counts + 2);
  condition(&n, graph, loop, which, SWITCH, 3, &c);
  for (int k = 0; k < 3; k++) add(&first, c.condition.bodies[k], NULL, saxpy, 1 + k, x, counts + 3);
  CU(cuGraphNodeGetType, n, &type);
  expect("type", type, NODE_CONDITION);
  IS(1, find("cuGraphAddNode_v2")(&first, graph, NULL, NULL, 0L, &(node){NODE_CONDITION, .condition = {down, WHILE, 2}}));
  CU(cuGraphInstantiateWithFlags, &exec, graph, 0L);
  CU(cuGraphDestroy, graph);
  for (int k = 0; k < 2; k++) CU(cuGraphLaunch, exec, NULL);
  CU(cuMemcpyDtoH_v2, out, counts, sizeof out);
  const float want[] = {6, 4, 20, 4};
  for (int k = 0; k < 4; k++) expect("conditions", out[k], want[k]);
  CU(cuGraphExecDestroy, exec);
  CU(cuMemFree_v2, x);
  CU(cuMemFree_v2, counts);
}

// memory: a graph allocates, and frees in a graph within it, or the program does.
static void memory(void *saxpy) {
  float one = 1, out[2];
  void *graph, *inner, *exec, *alloc, *kernel, *child, *n;
  uint64_t used;
  node m = {NODE_ALLOC, .memory = {.size = sizeof out}}, k = {NODE_GRAPH};
  CU(cuGraphCreate, &graph, 0);
  CU(cuGraphCreate, &inner, 0);
  CU(cuGraphAddNode, &alloc, graph, NULL, 0L, &m);
  float *at = m.memory.at;
  fill_node f = {at, 0, 0x3f800000, 4, 2, 1};
  CU(cuGraphAddMemsetNode, &n, graph, &alloc, 1L, &f, NULL);
  add(&kernel, graph, n, saxpy, 4, at, at + 1);
  copy_node back = {.from = {.kind = DEVICE, .device = at}, .to = {.kind = HOST, .host = out}, .width = sizeof out,
                    .height = 1, .depth = 1};
  CU(cuGraphAddMemcpyNode, &n, graph, &kernel, 1L, &back, NULL);
  CU(cuGraphAddMemFreeNode, &kernel, inner, NULL, 0L, at);
  k.graph = inner;
  CU(cuGraphAddNode, &child, graph, &n, 1L, &k);
  CU(cuGraphInstantiateWithFlags, &exec, graph, 0L);
  for (int i = 0; i < 2; i++) {
    out[1] = 0;
    CU(cuGraphLaunch, exec, NULL);
    CU(cuCtxSynchronize, );
    expect("memory of a graph", out[1], 5);
  }
  CU(cuDeviceGetGraphMemAttribute, 0, 0, &used);
  expect("used", used, 0);
  CU(cuDeviceGetGraphMemAttribute, 0, 1, &used);
  expect("used at most", used, sizeof out);
  CU(cuGraphExecDestroy, exec);
  CU(cuGraphDestroyNode, child); // nobody frees it now
  CU(cuGraphInstantiateWithFlags, &exec, graph, 0L);
  CU(cuGraphLaunch, exec, NULL);
  IS(1, find("cuGraphLaunch")(exec, NULL));
  CU(cuMemFree_v2, at);
  IS(1, find("cuMemFree_v2")(at));
  CU(cuGraphLaunch, exec, NULL);
  CU(cuGraphExecDestroy, exec);
  CU(cuGraphDestroy, graph);
  CU(cuGraphDestroy, inner);
  CU(cuMemcpyHtoD_v2, at, &one, 4L); // it is the program's
  CU(cuMemFree_v2, at);
  IS(1, find("cuMemcpyHtoD_v2")(at, &one, 4L));
}

typedef struct {
  int type, requested, location, device;
  void *metadata;
  unsigned char flags[8];
} memory_prop;

static void mapped(void *saxpy) {
  memory_prop prop = {.type = 1, .location = 1};
  struct {
    int location, device, flags;
  } access = {1, 0, 3};
  size_t grain = 0;
  CU(cuMemGetAllocationGranularity, &grain, &prop, 0);
  expect("granularity", (int)grain, 2 << 20);
  char *at, *other;
  void *first, *second;
  CU(cuMemAddressReserve, &at, 1L << 35, 0L, NULL, 0L);
  CU(cuMemAddressReserve, &other, grain, 0L, NULL, 0L);
  CU(cuMemCreate, &first, grain, &prop, 0L);
  CU(cuMemCreate, &second, grain, &prop, 0L);
  IS(1, find("cuMemcpyHtoD_v2")(at, &prop, 8L)); // nothing is there yet
  CU(cuMemMap, at, grain, 0L, first, 0L);
  CU(cuMemSetAccess, at, grain, &access, 1L);
  IS(1, find("cuMemMap")(at, grain, 0L, second, 0L)); // there is something
  CU(cuMemMap, at + grain, grain, 0L, second, 0L);
  CU(cuMemRelease, first);
  // A vector that lies in both.
  float host[N], a = 2, *x = (float *)(at + grain) - N / 2, *y = (float *)at;
  int n = N;
  for (int i = 0; i < N; i++) host[i] = i;
  CU(cuMemcpyHtoD_v2, x, host, sizeof host);
  void *args[] = {&n, &a, &x, &y};
  CU(cuLaunchKernel, saxpy, 4, 1, 1, 32, 1, 1, 0, NULL, args, NULL);
  CU(cuMemcpyDtoH_v2, host, y, sizeof host);
  for (int i = 0; i < N; i++) expect("mapped", host[i], 2 * i);
  IS(1, find("cuMemUnmap")(at, grain / 2));
  IS(1, find("cuMemAddressFree")(at, 1L << 35)); // something is mapped
  // What the second handle still has keeps what is in it, at another address.
  CU(cuMemUnmap, at, 2 * grain);
  IS(1, find("cuMemcpyDtoH_v2")(host, x, 8L));
  CU(cuMemMap, other, grain, 0L, second, 0L);
  CU(cuMemcpyDtoH_v2, host, other, sizeof host / 2);
  for (int i = 0; i < N / 2; i++) expect("moved", host[i], N / 2 + i);
  CU(cuMemUnmap, other, grain);
  CU(cuMemRelease, second);
  IS(1, find("cuMemRelease")(second));
  CU(cuMemAddressFree, at, 1L << 35);
  CU(cuMemAddressFree, other, grain);
}

int main(int argc, char **argv) {
  void *context, *module, *kernel;
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) puts(dlerror()), exit(1);
  CU(cuInit, 0);
  CU(cuCtxCreate_v2, &context, 0, 0);
  CU(cuModuleLoad, &module, argv[1]);
  CU(cuModuleGetFunction, &kernel, module, "saxpy");
  graphs(kernel, context);
  conditions(kernel, context);
  memory(kernel);
  mapped(kernel);
  printf("graph: done\n");
}
