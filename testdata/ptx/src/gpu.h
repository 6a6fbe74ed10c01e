// What the kernels of testdata/src and of this folder need of CUDA C++, without its headers: the same names that
// ../../src/gpu.h has for AMD's machines.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define NOINLINE __attribute__((noinline))
#define KERNEL extern "C" __global__ void

#define LOCAL_X __nvvm_read_ptx_sreg_tid_x()
#define LOCAL_Y __nvvm_read_ptx_sreg_tid_y()
#define LOCAL_Z __nvvm_read_ptx_sreg_tid_z()
#define GROUP_X __nvvm_read_ptx_sreg_ctaid_x()
#define GROUP_Y __nvvm_read_ptx_sreg_ctaid_y()
#define GROUP_Z __nvvm_read_ptx_sreg_ctaid_z()
#define SIZE_X __nvvm_read_ptx_sreg_ntid_x()
#define SIZE_Y __nvvm_read_ptx_sreg_ntid_y()
#define SIZE_Z __nvvm_read_ptx_sreg_ntid_z()
#define GLOBAL_X (GROUP_X * SIZE_X + LOCAL_X)
#define GLOBAL_Y (GROUP_Y * SIZE_Y + LOCAL_Y)
#define GLOBAL_Z (GROUP_Z * SIZE_Z + LOCAL_Z)

#define BARRIER() __nvvm_bar_sync(0)

// What some kernels need of warps and of atomic operations; ../host/gpu.h has it for the host.
#define SHUFFLE_UP(value, by) __nvvm_shfl_sync_up_i32(~0u, value, by, 0)
#define SHUFFLE_XOR(value, by) __nvvm_shfl_sync_bfly_i32(~0u, value, by, 31)
#define BALLOT(predicate) (unsigned)__nvvm_vote_ballot_sync(~0u, predicate)
#define COUNT(at) __nvvm_atom_add_gen_i(at, 1)
