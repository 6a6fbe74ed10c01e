// sort: a sort and a binary search over private arrays, with loops of two conditions.
#include "lane.h"

DEVICE void sort(int *a, int n) {
  for (int i = 1; i < n; i++) {
    int x = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > x) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
}

DEVICE int lookup(const int *a, int n, int x) {
  int low = 0, high = n;
  while (low < high) {
    int mid = (low + high) / 2;
    if (a[mid] == x)
      return mid;
    if (a[mid] < x)
      low = mid + 1;
    else
      high = mid;
  }
  return ~low;
}

KERNEL kernel(int *out) {
  int id = LANE;
  int a[5];
  for (int i = 0; i < 5; i++)
    a[i] = (id * 7 + i * 11) % 13;
  sort(a, 5);
  int at = lookup(a, 5, id % 13);
  out[id] = at;
}
