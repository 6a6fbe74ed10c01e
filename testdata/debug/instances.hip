// instances: kernels whose names are C++'s: in namespaces, instances of templates, overloaded.
#define KERNEL __attribute__((global)) void

namespace linear {
namespace dense {
template <class T, int N> KERNEL scale(T *p) {
  p[__builtin_amdgcn_workitem_id_x()] *= N;
}
template KERNEL scale<float, 3>(float *);
template KERNEL scale<int, 16>(int *);
} // namespace dense
} // namespace linear

KERNEL add(int *p) {
  p[__builtin_amdgcn_workitem_id_x()] += 1;
}

KERNEL add(float *p) {
  p[__builtin_amdgcn_workitem_id_x()] += 1;
}
