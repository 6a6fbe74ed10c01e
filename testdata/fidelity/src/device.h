// What kernels of this folder need of the device, without its library: exp2 as the one instruction that the
// machine has for it, which is inexact.
#if defined(__AMDGCN__)
#define EXP2(x) __builtin_amdgcn_exp2f(x)
#define LOCAL_X ((int)__builtin_amdgcn_workitem_id_x())
#define GROUP_X ((int)__builtin_amdgcn_workgroup_id_x())
#define FIRST(x) __builtin_bit_cast(float, __builtin_amdgcn_readfirstlane(__builtin_bit_cast(int, x)))
#define BARRIER()                                                  \
  do {                                                             \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");         \
    __builtin_amdgcn_s_barrier();                                  \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");         \
  } while (0)
#elif defined(__NVPTX__)
#define EXP2(x) __nvvm_ex2_approx_f(x)
#define LOCAL_X ((int)__nvvm_read_ptx_sreg_tid_x())
#define GROUP_X ((int)__nvvm_read_ptx_sreg_ctaid_x())
#define FIRST(x) __nvvm_shfl_sync_idx_f32(~0u, x, 0, 31)
#define BARRIER() __nvvm_barrier_sync(0)
#else
#define EXP2(x) native_exp2(x)
#define LOCAL_X ((int)get_local_id(0))
#define GROUP_X ((int)get_group_id(0))
#define FIRST(x) sub_group_broadcast(x, 0)
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
#define SIZE 64
#if defined(__AMDGCN__) || defined(__NVPTX__)
#define ADD(p, x) __atomic_fetch_add(p, x, __ATOMIC_RELAXED)
#else
#define ADD(p, x) atomic_add(p, x)
#endif
#define I (GROUP_X * SIZE + LOCAL_X)
