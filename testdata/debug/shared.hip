// shared: LDS of functions, of several kernels, and of the launch (extern).
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define KERNEL extern "C" __attribute__((global)) void
extern SHARED float heap[];

DEVICE void wait() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

DEVICE float turned(float v, int id) {
  SHARED float turn[64];
  turn[id] = v;
  wait();
  return turn[63 - id];
}

DEVICE __attribute__((noinline)) float added(float v, int id) {
  SHARED float sums[64];
  sums[id] = v + id;
  wait();
  return sums[id ^ 1];
}

KERNEL shared(const float *in, float *out) {
  SHARED int own[64];
  int id = __builtin_amdgcn_workitem_id_x();
  own[id] = id * 3;
  heap[id] = in[id] * 2;
  wait();
  float a = turned(in[id], id);
  float b = added(a, id);
  out[id] = a + b + heap[id ^ 1] + own[id ^ 1];
}

KERNEL plain(const float *in, float *out) {
  int id = __builtin_amdgcn_workitem_id_x();
  heap[id] = in[id];
  wait();
  out[id] = added(heap[id ^ 1], id);
}
