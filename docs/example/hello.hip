// Every work-item says what it has.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
extern "C" __device__ int printf(const char *format, ...);

extern "C" __global__ void hello(const int *in) {
  int i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
          __builtin_amdgcn_workitem_id_x();
  int v = in[i];
  if (v % 2)
    printf("work-item %d: odd %d\n", i, v);
  else
    printf("work-item %d: even %s\n", i, v ? "and more" : "and zero");
  printf("work-item %d: done\n", i);
}
