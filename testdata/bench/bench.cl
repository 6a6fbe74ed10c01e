// The programs of `make bench-peers`: the same source for PoCL and, by clang and IGC, for the simulated GPUs.
// What OpenCL's built-in functions are without a device library:
#if defined(__NVPTX__)
#define get_local_id(d) ((d) == 0 ? __nvvm_read_ptx_sreg_tid_x() : __nvvm_read_ptx_sreg_tid_y())
#define get_group_id(d) ((d) == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : __nvvm_read_ptx_sreg_ctaid_y())
#define get_global_id(d) (get_group_id(d) * (d == 0 ? WIDE : HIGH) + get_local_id(d))
#define work_group_barrier_local() __nvvm_bar_sync(0)
#elif defined(__AMDGCN__)
#define get_local_id(d) ((d) == 0 ? __builtin_amdgcn_workitem_id_x() : __builtin_amdgcn_workitem_id_y())
#define get_group_id(d) ((d) == 0 ? __builtin_amdgcn_workgroup_id_x() : __builtin_amdgcn_workgroup_id_y())
#define get_global_id(d) (get_group_id(d) * (d == 0 ? WIDE : HIGH) + get_local_id(d))
#define work_group_barrier_local() \
  do { \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier(); \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)
#else
#define work_group_barrier_local() barrier(CLK_LOCAL_MEM_FENCE)
#endif

#define TILE 16

// C = A * B for n x n matrices, n a multiple of 16, tiled in local memory.
#define WIDE TILE
#define HIGH TILE
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float tile_a[TILE][TILE];
  __local float tile_b[TILE][TILE];
  int col = get_local_id(0), row = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  float acc = 0.0f;
  for (int base = 0; base < n; base += TILE) {
    tile_a[row][col] = a[y * n + base + col];
    tile_b[row][col] = b[(base + row) * n + x];
    work_group_barrier_local();
    for (int k = 0; k < TILE; k++)
      acc += tile_a[row][k] * tile_b[k][col];
    work_group_barrier_local();
  }
  c[y * n + x] = acc;
}

// How many of at most limit rounds each point of a side x side picture stays near 0.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void mandelbrot(__global uint *rounds, int side, int limit) {
  int x = get_global_id(0), y = get_global_id(1);
  float cr = -2.0f + 3.0f * x / side, ci = -1.5f + 3.0f * y / side;
  float zr = 0.0f, zi = 0.0f;
  int n = 0;
  while (n < limit && zr * zr + zi * zi <= 4.0f) {
    float t = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = t;
    n++;
  }
  rounds[y * side + x] = n;
}
#undef WIDE

// An integer hash of each index, many times over.
#define WIDE 256
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void hash(__global uint *out, int rounds) {
  uint h = get_global_id(0);
  for (int i = 0; i < rounds; i++) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    h ^= h >> 16;
    h += i;
  }
  out[get_global_id(0)] = h;
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void vecadd(__global const float *a, __global const float *b, __global float *c) {
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}

// A filter of 16 taps; in has 15 more numbers than out.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void fir(__global const float *in, __constant float *taps, __global float *out) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 16; k++)
    sum += taps[k] * in[i + k];
  out[i] = sum;
}
