// recursion: walk calls itself twice, and no lane goes as deep as its
// neighbour. The way the two results are joined is neither associative nor
// commutative, so no optimisation turns either call into a loop.
#include "gpu.h"

// walk visits the tree below one node. path holds the turns taken so far, one
// bit for each, below a leading 1.
__device__ NOINLINE int walk(int depth, int path) {
  if (depth <= 0)
    return path;
  int left = walk(depth - 1, path * 2);
  int right = walk(depth - 2, path * 2 + 1);
  return left - 3 * right + depth;
}

KERNEL recursion(int *results, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  int depth = id % 7;
  int result = walk(depth, 1);
  results[id] = result;
}
