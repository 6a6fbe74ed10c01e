// AMD's names for what the OpenCL kernels of testdata/src use, as NVIDIA's machines have it.
#define __builtin_amdgcn_workgroup_id_x __nvvm_read_ptx_sreg_ctaid_x
#define __builtin_amdgcn_workgroup_id_y __nvvm_read_ptx_sreg_ctaid_y
#define __builtin_amdgcn_workgroup_size_x __nvvm_read_ptx_sreg_ntid_x
#define __builtin_amdgcn_workgroup_size_y __nvvm_read_ptx_sreg_ntid_y
#define __builtin_amdgcn_workitem_id_x __nvvm_read_ptx_sreg_tid_x
#define __builtin_amdgcn_workitem_id_y __nvvm_read_ptx_sreg_tid_y
#define __builtin_amdgcn_fence(order, scope)
#define __builtin_amdgcn_s_barrier() __nvvm_bar_sync(0)
// Short names for kernels that are compiled for the host as well.
#define GLOBAL_ID ((int)(__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x()))
#define LOCAL_ID ((int)__nvvm_read_ptx_sreg_tid_x())
#define WAIT() __nvvm_bar_sync(0)
