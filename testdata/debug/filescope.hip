// filescope: LDS at namespace scope beside that of a function, and a kernel that uses a part of it, of which
// nothing is known.
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define KERNEL extern "C" __attribute__((global)) void
SHARED float all[32];
SHARED int half[16];

DEVICE void wait() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

DEVICE __attribute__((noinline)) float turned(float v, int id) {
  SHARED float own[64];
  own[id] = v;
  wait();
  return own[63 - id];
}

KERNEL whole(float *out) {
  int id = __builtin_amdgcn_workitem_id_x();
  all[id & 31] = id;
  half[id & 15] = id * 2;
  float t = turned(id, id);
  wait();
  out[id] = t + all[id & 31] + half[id & 15];
}

KERNEL part(float *out) {
  int id = __builtin_amdgcn_workitem_id_x();
  half[id & 15] = id * 2;
  wait();
  out[id] = half[(id + 1) & 15];
}
