// pointers: the addresses of private objects, LDS and globals, in variables and
// in memory.
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define KERNEL extern "C" __attribute__((global)) void

struct Node {
  Node *next;
  int *value;
};

DEVICE int counter = 5;
DEVICE int *last;
SHARED int board[64];

DEVICE __attribute__((noinline)) int sum(const Node *head) {
  int total = 0;
  for (const Node *n = head; n; n = n->next)
    total += *n->value;
  return total;
}

KERNEL pointers(int *out) {
  int id = __builtin_amdgcn_workitem_id_x();
  int m[4][3] = {};
  int x = id, y = 10;
  Node second{nullptr, &y}, first{&second, &x};
  int *p = &x;
  int *sp = &m[2][1];
  int *b = &board[id];
  *b = id * 3;
  *sp = id;
  if (id == 5)
    counter += *p;
  last = &counter;
  out[id] = sum(&first) + *b + *sp + *p;
}
