// narrow_pointers: pointers of four bytes, to private memory and LDS, in structures and
// arrays, by another name, and behind other pointers. No pointer is generic
// (OpenCL C 1.2).
typedef struct Node {
  struct Node *next;
  int value;
} Node;

typedef __local float *Row;

typedef struct {
  Row row;
  char tag;
  __local float *rows[2];
  Node *list;
  void *any;
  const char *name;
} Mixed;

__attribute__((noinline)) int sum(const Node *head) {
  int total = 0;
  for (const Node *n = head; n; n = n->next)
    total += n->value;
  return total;
}

__attribute__((noinline)) Node *last(Node *head) {
  while (head->next)
    head = head->next;
  return head;
}

__kernel void narrow(__global int *out) {
  __local float tile[2][64];
  int id = __builtin_amdgcn_workitem_id_x();
  char word[4] = "abc";
  Node nodes[3];
  for (int i = 0; i < 3; i++) {
    nodes[i].value = id + 10 * i;
    nodes[i].next = i < 2 ? &nodes[i + 1] : 0;
  }
  tile[0][id] = id * 0.5f;
  tile[1][id] = id * 2.0f;
  Mixed m = {tile[1], 'm', {tile[0], tile[1]}, nodes, nodes + 1, word};
  __local float *rows[2] = {&tile[0][id], &tile[1][id]};
  __local float **place = &rows[1];
  Mixed pair[2] = {m, m};
  Node *tail = last(nodes), *none = 0;
  out[id] = sum(m.list) + (int)*rows[1] + (int)**place + tail->value + pair[1].list->value;
}
