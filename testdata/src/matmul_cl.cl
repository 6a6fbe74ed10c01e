// matmul_cl: C = A * B for n x n matrices, tiled 16x16 in LDS, any n: the
// tiles are filled up with zeros at the edges. The product and the sum round
// separately.
#define TILE 16

__kernel void matmul_cl(__global const float *a, __global const float *b,
                        __global float *c, int n) {
  __local float tile_a[TILE][TILE];
  __local float tile_b[TILE][TILE];
  int col = __builtin_amdgcn_workitem_id_x();
  int row = __builtin_amdgcn_workitem_id_y();
  int x = __builtin_amdgcn_workgroup_id_x() * TILE + col;
  int y = __builtin_amdgcn_workgroup_id_y() * TILE + row;
  float acc = 0.0f;
  for (int base = 0; base < n; base += TILE) {
    tile_a[row][col] = y < n && base + col < n ? a[y * n + base + col] : 0.0f;
    tile_b[row][col] = base + row < n && x < n ? b[(base + row) * n + x] : 0.0f;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    for (int k = 0; k < TILE; k++)
      acc += tile_a[row][k] * tile_b[k][col];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  }
  if (x < n && y < n)
    c[y * n + x] = acc;
}
