// lists: linked lists on the heap: each lane makes one of its own length, walks it, and gives every other node back.
#include "gpu.h"

extern "C" __device__ void *malloc(unsigned long);
extern "C" __device__ void free(void *);

struct Node {
  Node *next;
  int value;
  short spare[5];
};

KERNEL lists(const int *input, int *output, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  Node *head = nullptr;
  for (int k = 0; k < id % 6 + 1; k++) {
    Node *node = (Node *)malloc(sizeof(Node));
    if (!node) {
      output[id] = -1;
      return;
    }
    node->next = head;
    node->value = input[id] + k * k;
    head = node;
  }
  int sum = 0;
  for (Node *node = head; node;) {
    sum = sum * 3 + node->value;
    Node *next = node->next;
    if (node->value & 1)
      free(node);
    node = next;
  }
  output[id] = sum;
}
