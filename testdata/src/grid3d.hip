// grid3d: where a work-item stands, in three dimensions, by every way a
// compiler has to ask: the id registers, the hidden arguments after the
// explicit ones, and the dispatch packet. Launched with a grid that is no
// multiple of the workgroup in any dimension.
#include "gpu.h"

// The start of the hidden arguments, as LLVM's AMDGPUUsage has them for code
// objects of version 5 and later.
struct Hidden {
  unsigned block_count[3];
  unsigned short group_size[3];
  unsigned short remainder[3];
};

struct Place {
  unsigned short local[3];
  unsigned short group[3];
  unsigned short size[3]; // of this workgroup, which may be a partial one
  unsigned short dimensions;
  unsigned linear;
};

// extent is how many work-items this workgroup has in one dimension.
__device__ NOINLINE unsigned extent(unsigned group, unsigned block_count,
                                    unsigned size, unsigned remainder) {
  return group < block_count ? size : remainder;
}

KERNEL grid3d(Place *places) {
  unsigned x = GLOBAL_X, y = GLOBAL_Y, z = GLOBAL_Z;
  unsigned width = __builtin_amdgcn_grid_size_x();
  unsigned height = __builtin_amdgcn_grid_size_y();
  unsigned depth = __builtin_amdgcn_grid_size_z();
  const Hidden *hidden =
      (const Hidden *)__builtin_amdgcn_implicitarg_ptr();
  unsigned linear = (z * height + y) * width + x;
  Place *p = &places[linear];
  p->local[0] = (unsigned short)LOCAL_X;
  p->local[1] = (unsigned short)LOCAL_Y;
  p->local[2] = (unsigned short)LOCAL_Z;
  p->group[0] = (unsigned short)GROUP_X;
  p->group[1] = (unsigned short)GROUP_Y;
  p->group[2] = (unsigned short)GROUP_Z;
  unsigned group[3] = {GROUP_X, GROUP_Y, GROUP_Z};
  for (int d = 0; d < 3; d++)
    p->size[d] =
        (unsigned short)extent(group[d], hidden->block_count[d],
                               hidden->group_size[d], hidden->remainder[d]);
  p->dimensions = (unsigned short)(1 + (height > 1) + (depth > 1));
  p->linear = linear;
}
