// Plain stores beside atomic operations, where the source has no atomic stores: on gfx9 both are one instruction, so that
// the source alone tells. Marks are those of defects.cl.
#define SIZE 128
#ifdef __AMDGCN__
#define LOCAL_ID __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define INC(p) __atomic_fetch_add(p, 1, __ATOMIC_RELAXED)
#define BARRIER                                        \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  __builtin_amdgcn_s_barrier();                        \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
#elif defined(__NVPTX__)
#define LOCAL_ID __nvvm_read_ptx_sreg_tid_x()
#define GROUP __nvvm_read_ptx_sreg_ctaid_x()
#define INC(p) __atomic_fetch_add(p, 1, __ATOMIC_RELAXED)
#define BARRIER __nvvm_bar_sync(0)
#else
#define LOCAL_ID get_local_id(0)
#define GROUP get_group_id(0)
#define INC(p) atomic_inc(p)
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// One workgroup counts, another sets what is counted.
__kernel void set_race(__global const int *in, __global int *out) {
  if (GROUP == 0)
    INC(out);                     // set_race other
  if (GROUP == 1 && LOCAL_ID == 0)
    out[0] = in[0] + 5;           // set_race
}

__kernel void set_ok(__global const int *in, __global int *out) {
  if (LOCAL_ID == 0)
    out[GROUP] = in[0] + 5;
  BARRIER;
  INC(out + GROUP);
}

// The number that a counter gives is right for who has it; setting the counter back is not.
__kernel void reset_race(__global const int *in, __global int *out) {
  if (GROUP == 0) {
    int n = INC(out);             // reset_race other
    out[SIZE + n] = in[n];
  }
  if (GROUP == 2 && LOCAL_ID == 1)
    out[0] = 0;                   // reset_race
}

__kernel void reset_ok(__global const int *in, __global int *out) {
  int n = INC(out + GROUP);
  out[SIZE + GROUP * SIZE / 2 + n / 2] = 1;
  BARRIER;
  if (LOCAL_ID == 1)
    out[GROUP] = 0;
}
