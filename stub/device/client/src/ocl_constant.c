// Specialization constants of programs in SPIR-V ("SPIR-V Specification", 2.12): what the program sets holds
// from its next build on, which hands it over.
#include "ocl.h"

// instruction steps over a module's instructions: it gives the one at a place, and its words; NULL at the
// end, and where the module is damaged.
static const uint32_t *instruction(cl_program p, size_t *at, size_t *words) {
  const uint32_t *all = (const uint32_t *)p->file;
  size_t size = p->file_size / sizeof *all;
  if (*at >= size) return NULL;
  const uint32_t *in = all + *at;
  *words = *in >> 16;
  if (!*words || *words > size - *at) return NULL;
  *at += *words;
  return in;
}

// first finds the first instruction with an opcode and an operand, of a number of words at least; NULL if
// there is none.
static const uint32_t *first(cl_program p, uint32_t opcode, size_t operand, uint32_t value, size_t least) {
  enum { HEADER = 5 };
  size_t at = HEADER, words;
  const uint32_t *in;
  while ((in = instruction(p, &at, &words)))
    if ((*in & 0xFFFF) == opcode && words >= least && in[operand] == value) return in;
  return NULL;
}

// constant_size is the bytes of a specialization constant, 0 if the module has none of a number.
static size_t constant_size(cl_program p, cl_uint number) {
  enum { DECORATE = 71, SPEC_ID = 1, TYPE_INT = 21, TYPE_FLOAT = 22 };
  enum { SPEC_TRUE = 48, SPEC_FALSE = 49, SPEC = 50 };
  enum { HEADER = 5 };
  size_t at = HEADER, words;
  const uint32_t *in;
  while ((in = instruction(p, &at, &words))) {
    if ((*in & 0xFFFF) != DECORATE || words < 4 || in[2] != SPEC_ID || in[3] != number) continue;
    uint32_t id = in[1];
    if (first(p, SPEC_TRUE, 2, id, 3) || first(p, SPEC_FALSE, 2, id, 3)) return 1;
    const uint32_t *value = first(p, SPEC, 2, id, 4), *type = NULL;
    if (value) type = first(p, TYPE_INT, 1, value[1], 4);
    if (value && !type) type = first(p, TYPE_FLOAT, 1, value[1], 3);
    if (type) return type[2] / 8;
  }
  return 0;
}

cl_int clSetProgramSpecializationConstant(cl_program p, cl_uint number, size_t size, const void *value) {
  HELD;
  if (!IS(p, PROGRAM) || !p->il) return ocl_answer(CL_INVALID_PROGRAM);
  size_t want = constant_size(p, number);
  if (!want || want > 8) return ocl_answer(CL_INVALID_SPEC_ID);
  if (!value || size != want) return ocl_answer(CL_INVALID_VALUE);
  size_t i = 0;
  while (i < p->constant_count && p->constants[i].number != number) i++;
  if (i == p->constant_count) {
    p->constants = realloc(p->constants, ++p->constant_count * sizeof *p->constants);
    if (!p->constants) abort();
  }
  p->constants[i] = (constant){number, size};
  memcpy(p->constants[i].value, value, size);
  return CL_SUCCESS;
}

// freeze gives a copy of a module whose constants are what the program has set them to.
static unsigned char *freeze(cl_program p) {
  enum { DECORATE = 71, SPEC_ID = 1, SPEC_TRUE = 48, SPEC_FALSE = 49, SPEC = 50, HEADER = 5 };
  struct program copy = *p;
  copy.file = malloc(p->file_size + 1);
  if (!copy.file) abort();
  memcpy(copy.file, p->file, p->file_size);
  for (size_t i = 0; i < p->constant_count; i++) {
    const constant *c = &p->constants[i];
    size_t at = HEADER, words;
    const uint32_t *in;
    while ((in = instruction(&copy, &at, &words))) {
      if ((*in & 0xFFFF) != DECORATE || words < 4 || in[2] != SPEC_ID || in[3] != c->number) continue;
      uint32_t *value = (uint32_t *)first(&copy, SPEC, 2, in[1], 3 + (c->size + 3) / 4), *truth;
      if (value) memset(&value[3], 0, (c->size + 3) / 4 * 4), memcpy(&value[3], c->value, c->size);
      if (!(truth = (uint32_t *)first(&copy, SPEC_TRUE, 2, in[1], 3)))
        truth = (uint32_t *)first(&copy, SPEC_FALSE, 2, in[1], 3);
      if (truth) *truth = (*truth & 0xFFFF0000) | (c->value[0] ? SPEC_TRUE : SPEC_FALSE);
    }
  }
  return copy.file;
}

// put_constants writes the constants into the request that loads a program.
static void put_constants(cl_program p) {
  put_u64(p->constant_count);
  for (size_t i = 0; i < p->constant_count; i++) {
    put_u64(p->constants[i].number);
    put_bytes(p->constants[i].value, p->constants[i].size);
  }
}
