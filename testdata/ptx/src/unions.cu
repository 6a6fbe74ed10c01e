// unions: bit-fields, unions, arrays of structures, and pointers into them.
#include "look.h"

struct Packed {
  unsigned kind : 3;
  int delta : 9;
  unsigned rest : 20;
};
union Word {
  unsigned whole;
  Packed parts;
  unsigned char bytes[4];
  float number;
};
struct Node {
  Word word;
  short next;
  bool used;
};

KERNEL unions(const unsigned *in, unsigned *out, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  Node nodes[6];
  for (int i = 0; i < 6; i++) {
    nodes[i].word.whole = in[(id * 3 + i) % n];
    nodes[i].next = (short)((i * 5 + 1) % 6);
    nodes[i].used = false;
  }
  int at = id % 6, steps = 0, deltas = 0;
  Node *node = &nodes[at];
  while (!node->used) {
    node->used = true;
    deltas += node->word.parts.delta;
    node->word.parts.kind = (unsigned)steps;
    node->word.bytes[3] ^= (unsigned char)id;
    steps++;
    node = &nodes[node->next];
  }
  Word last = node->word;
  look(id);
  out[4 * id] = (unsigned)deltas;
  out[4 * id + 1] = (unsigned)steps;
  out[4 * id + 2] = last.whole;
  out[4 * id + 3] = nodes[(at + 2) % 6].word.parts.rest;
}
