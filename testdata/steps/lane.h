// lane.h: kernels that are compiled for a GPU, where LANE is the work-item, and for
// this machine, where it is a variable that main.cpp counts up.
#ifdef __AMDGCN__
#define DEVICE __attribute__((device, noinline))
#define CONSTANT __attribute__((device))
#define KERNEL extern "C" __attribute__((global)) void
#define LANE ((int)__builtin_amdgcn_workitem_id_x())
#else
#define DEVICE __attribute__((noinline))
#define CONSTANT
#define KERNEL extern "C" void
extern int lane;
#define LANE lane
#endif
