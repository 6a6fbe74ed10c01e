// search: recursion that no two lanes share: Ackermann's function, a sort, and queens on a board.
#include "gpu.h"

__device__ NOINLINE int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ NOINLINE void sort(short *a, int low, int high) {
  if (low >= high)
    return;
  short pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot)
      i++;
    while (a[j] > pivot)
      j--;
    if (i <= j) {
      short t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  sort(a, low, j);
  sort(a, i, high);
}

__device__ NOINLINE int queens(int size, unsigned columns, unsigned left, unsigned right) {
  unsigned all = (1u << size) - 1;
  if (columns == all)
    return 1;
  int count = 0;
  for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
    unsigned bit = free & -free;
    count += queens(size, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

#define LENGTH 12

KERNEL search(const short *input, short *sorted, int *output, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  short mine[LENGTH];
  for (int k = 0; k < LENGTH; k++)
    mine[k] = input[id * LENGTH + k];
  sort(mine, 0, LENGTH - 1 - id % 4);
  for (int k = 0; k < LENGTH; k++)
    sorted[id * LENGTH + k] = mine[k];
  output[2 * id] = ackermann(id % 3, id % 5);
  output[2 * id + 1] = queens(4 + id % 3, 0, 0, 0);
}
