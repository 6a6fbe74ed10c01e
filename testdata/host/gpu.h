// Stands in for src/gpu.h when a kernel is compiled for the host: the same
// names, with the attributes that C++ has.
#pragma once

#define __global__
#define __device__
#define __shared__ static
#define NOINLINE __attribute__((noinline))
#define KERNEL extern "C" void

#define LOCAL_X here.local[0]
#define LOCAL_Y here.local[1]
#define LOCAL_Z here.local[2]
#define GROUP_X here.group[0]
#define GROUP_Y here.group[1]
#define GROUP_Z here.group[2]
#define GLOBAL_X (GROUP_X * hidden_arguments.group_size[0] + LOCAL_X)
#define GLOBAL_Y (GROUP_Y * hidden_arguments.group_size[1] + LOCAL_Y)
#define GLOBAL_Z (GROUP_Z * hidden_arguments.group_size[2] + LOCAL_Z)

#define BARRIER() pthread_barrier_wait(&barrier)
