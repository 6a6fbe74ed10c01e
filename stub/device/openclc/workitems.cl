// Functions of work-items, as the library opencl.bc has them: a program that calls no other function of it is
// linked with these, since the library is so large that to look into it is half of a small program's build.
//
// It is compiled without the declarations of OpenCL C, as images.cl is.

typedef __SIZE_TYPE__ size_t;

#define OF(NAME)                                                                                    \
  size_t __attribute__((const)) __ockl_##NAME(unsigned);                                            \
  size_t __attribute__((overloadable, const)) NAME(unsigned d) { return __ockl_##NAME(d); }

OF(get_global_id)
OF(get_local_id)
OF(get_group_id)
OF(get_global_size)
OF(get_local_size)
OF(get_num_groups)
