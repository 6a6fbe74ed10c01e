// The names that a program knows functions by that have several.
#include "hip.h"

#include <elf.h>
#include <link.h>

static const struct {
  const char *cuda, *hip;
} same_names[] = {
#undef SAME
#define SAME(cuda, hip) {#cuda, #hip},
#include "cuda_same.c"
};

// imports reports whether what has some code asks for a symbol: those come first in its table, before the
// ones that its hash table has.
static int imports(uint64_t pc, const char *name) {
  struct link_map *map = NULL;
  Dl_info at;
  if (!dladdr1((void *)(uintptr_t)pc, &at, (void **)&map, RTLD_DL_LINKMAP) || !map) return 0;
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  const uint32_t *hash = NULL;
  for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
    if (d->d_tag == DT_SYMTAB) symbols = (const void *)d->d_un.d_ptr;
    if (d->d_tag == DT_STRTAB) names = (const void *)d->d_un.d_ptr;
    if (d->d_tag == DT_GNU_HASH) hash = (const void *)d->d_un.d_ptr;
  }
  for (uint32_t i = 1; symbols && names && hash && i < hash[1]; i++)
    if (!strcmp(names + symbols[i].st_name, name)) return 1;
  return 0;
}

// cuda_called gives the name of those of a function that the program asks for, the first of them if it finds
// them otherwise.
static const char *cuda_called(const char *name, uint64_t pc) {
  enum { COUNT = sizeof same_names / sizeof *same_names };
  size_t i = 0;
  while (i < COUNT && strcmp(same_names[i].cuda, name)) i++;
  if (i == COUNT) return name;
  const char *hip = same_names[i].hip;
  for (i = 0; i < COUNT; i++)
    if (!strcmp(same_names[i].hip, hip) && imports(pc, same_names[i].cuda)) return same_names[i].cuda;
  return name;
}

__attribute__((constructor)) static void name_calls(void) { dev_called_as = cuda_called; }
