// allocates: device malloc and free, of blocks that live in slabs and of some
// that do not. Each work-item builds a list and adds it up.
#include "device.h"

extern "C" __device__ void *__ockl_dm_alloc(unsigned long size);
extern "C" __device__ void __ockl_dm_dealloc(unsigned long address);

struct Node {
  Node *next;
  int value;
};

KERNEL allocates(const int *in, int *out) {
  int i = GLOBAL_X;
  Node *list = nullptr;
  for (int k = 0; k < in[i] % 5; k++) {
    Node *n = (Node *)__ockl_dm_alloc(k == 3 ? 10000 : sizeof(Node));
    if (!n)
      return;
    n->next = list;
    n->value = i + k;
    list = n;
  }
  int sum = 0;
  while (list) {
    Node *n = list;
    sum += n->value;
    list = n->next;
    __ockl_dm_dealloc((unsigned long)n);
  }
  out[i] = sum;
}
