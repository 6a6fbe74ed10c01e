// Kernels that leave a row of an array of arrays for the next one, each beside one that looks like it and does not.
// They are run, marked and compiled as those of arrays.cl.
#include "device.h"

#define SIZE 128
#define ROWS 8
#define COLUMNS (SIZE / ROWS)

#if !defined(ONE) || defined(KERNEL_column_bounds)
// The right neighbour of the last column.
__kernel void column_bounds(__global const int *in, __global int *out) {
  __local int tile[ROWS][COLUMNS];
  int i = LOCAL_ID, x = i & (COLUMNS - 1), y = i / COLUMNS;
  tile[y][x] = in[i];
  BARRIER;
  int sum = tile[y][x];
  if (y < ROWS - 1)
    sum += tile[y][x + 1];              // column_bounds
  out[GROUP * SIZE + i] = sum;
}
#endif

#if !defined(ONE) || defined(KERNEL_column_ok)
__kernel void column_ok(__global const int *in, __global int *out) {
  __local int tile[ROWS][COLUMNS];
  int i = LOCAL_ID, x = i & (COLUMNS - 1), y = i / COLUMNS;
  tile[y][x] = in[i];
  BARRIER;
  int sum = tile[y][x];
  if (x < COLUMNS - 1)
    sum += tile[y][x + 1];
  if (y < ROWS - 1)
    sum += tile[y + 1][COLUMNS - 1 - x] + tile[in[y] + 1][0];
  __local int *row = tile[y];
  out[GROUP * SIZE + i] = sum + row[COLUMNS - 1 - x];
}
#endif

#if !defined(ONE) || defined(KERNEL_plane_bounds)
// A private array of three dimensions is written a row too early.
__kernel void plane_bounds(__global const int *in, __global int *out) {
  int cube[4][3][5], i = LOCAL_ID, sum = 0;
  for (int z = 0; z < 4; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 5; x++)
        cube[z][y][x] = in[x + y + z];
  for (int z = 1; z < 4; z++)
    for (int y = 0; y < 3; y++)
      cube[z][in[y] - 1][in[i] % 5] += z; // plane_bounds
  for (int k = 0; k < 3; k++)
    sum += cube[in[i] % 4][k][in[i + k] % 5];
  out[GROUP * SIZE + i] = sum;
}
#endif

#if !defined(ONE) || defined(KERNEL_plane_ok)
__kernel void plane_ok(__global const int *in, __global int *out) {
  int cube[4][3][5], i = LOCAL_ID, sum = 0;
  for (int z = 0; z < 4; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 5; x++)
        cube[z][y][x] = in[x + y + z];
  for (int z = 1; z < 4; z++)
    for (int y = 0; y < 3; y++)
      cube[z][2 - in[y]][4 - in[i] % 5] += z;
  for (int k = 0; k < 3; k++)
    sum += cube[in[i] % 4][k][in[i + k] % 5];
  out[GROUP * SIZE + i] = sum;
}
#endif

#if !defined(ONE) || defined(KERNEL_entry_bounds)
// A table in constant memory.
__constant int weights[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

__kernel void entry_bounds(__global const int *in, __global int *out) {
  int i = LOCAL_ID, row = in[i] % 2;
  int column = in[i + 1] % 5;
  out[GROUP * SIZE + i] = weights[row][column]; // entry_bounds
}
#endif

#if !defined(ONE)
__kernel void entry_ok(__global const int *in, __global int *out) {
  int i = LOCAL_ID, row = in[i] % 3;
  int column = in[i + 1] % 4;
  out[GROUP * SIZE + i] = weights[row][column] + weights[in[1]][3 - column];
}
#endif
