// tables: LDS of functions that lies elsewhere in each kernel, where functions find it by a
// table, and LDS of the launch in a function.
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define KERNEL extern "C" __attribute__((global)) void
extern SHARED int heap[];

DEVICE void wait() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

DEVICE __attribute__((noinline)) int first(int v, int id) {
  SHARED int near[64];
  near[id] = v;
  wait();
  return near[id ^ 1];
}

DEVICE __attribute__((noinline)) int second(int v, int id) {
  SHARED int far[64];
  far[id] = v * 2;
  wait();
  return far[id ^ 2];
}

DEVICE __attribute__((noinline)) int third(int v, int id) {
  heap[id] = v * 3;
  wait();
  return heap[id ^ 4];
}

KERNEL one(int *out) {
  int id = __builtin_amdgcn_workitem_id_x();
  out[id] = first(id, id);
}

KERNEL two(int *out) {
  SHARED int own[128];
  int id = __builtin_amdgcn_workitem_id_x();
  own[id] = id;
  own[id + 64] = -id;
  wait();
  out[id] = second(own[id ^ 1], id) + first(own[id ^ 65], id);
}

KERNEL three(int *out) {
  int id = __builtin_amdgcn_workitem_id_x();
  out[id] = second(id, id) + third(id, id);
}
