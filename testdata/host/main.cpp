// Runs the kernel KERNEL_NAME of the source KERNEL_FILE:
//   main GX GY GZ BX BY BZ ARGUMENT…
// An argument is buffer:FILE, read before and written after the run,
// local:BYTES, or value:HEXADECIMAL.
#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include KERNEL_FILE

struct Argument {
  std::string file; // of a buffer
  std::vector<char> bytes;
};

static std::vector<Argument> arguments;

static Argument parse(const std::string &text) {
  Argument a;
  size_t colon = text.find(':');
  std::string kind = text.substr(0, colon), rest = text.substr(colon + 1);
  if (kind == "buffer") {
    a.file = rest;
    FILE *f = fopen(rest.c_str(), "rb");
    if (!f)
      perror(rest.c_str()), exit(1);
    for (int c; (c = getc(f)) != EOF;)
      a.bytes.push_back((char)c);
    fclose(f);
  } else if (kind == "local") {
    a.bytes.resize(std::stoul(rest));
  } else {
    for (size_t i = 0; i < rest.size(); i += 2)
      a.bytes.push_back((char)std::stoul(rest.substr(i, 2), nullptr, 16));
  }
  return a;
}

// Parameter<P>::as makes a parameter of an argument: the address of a buffer, or a value.
template <class P> struct Parameter {
  static P as(Argument &a) {
    P value;
    memcpy(&value, a.bytes.data(), sizeof value);
    return value;
  }
};
template <class E> struct Parameter<E *> {
  static E *as(Argument &a) { return (E *)a.bytes.data(); }
};

template <class... P> static void call(void (*kernel)(P...)) {
  size_t i = 0;
  // Braces, unlike a call, evaluate from left to right.
  struct Call {
    Call(void (*kernel)(P...), P... p) { kernel(p...); }
  } done{kernel, Parameter<P>::as(arguments.at(i++))...};
}

static void *work_item(void *place) {
  here = *(Here *)place;
  call(KERNEL_NAME);
  return nullptr;
}

static void run_group(const unsigned group[3]) {
  std::vector<Here> items;
  unsigned extent[3];
  for (int d = 0; d < 3; d++)
    extent[d] = group[d] < hidden_arguments.block_count[d]
                    ? hidden_arguments.group_size[d]
                    : hidden_arguments.remainder[d];
  for (unsigned z = 0; z < extent[2]; z++)
    for (unsigned y = 0; y < extent[1]; y++)
      for (unsigned x = 0; x < extent[0]; x++)
        items.push_back({{x, y, z}, {group[0], group[1], group[2]}});
  pthread_barrier_init(&barrier, nullptr, items.size());
  std::vector<pthread_t> threads(items.size());
  for (size_t i = 0; i < items.size(); i++)
    if (pthread_create(&threads[i], nullptr, work_item, &items[i]))
      fprintf(stderr, "cannot start thread %zu\n", i), exit(1);
  for (pthread_t t : threads)
    pthread_join(t, nullptr);
  pthread_barrier_destroy(&barrier);
}

int main(int argc, char **argv) {
  if (argc < 7)
    return 2;
  unsigned groups[3];
  for (int d = 0; d < 3; d++) {
    grid[d] = atoi(argv[1 + d]);
    unsigned size = atoi(argv[4 + d]);
    hidden_arguments.group_size[d] = size;
    hidden_arguments.block_count[d] = grid[d] / size;
    hidden_arguments.remainder[d] = grid[d] % size;
    groups[d] = (grid[d] + size - 1) / size;
  }
  for (int i = 7; i < argc; i++)
    arguments.push_back(parse(argv[i]));
  for (unsigned z = 0; z < groups[2]; z++)
    for (unsigned y = 0; y < groups[1]; y++)
      for (unsigned x = 0; x < groups[0]; x++) {
        unsigned group[3] = {x, y, z};
        run_group(group);
      }
  for (const Argument &a : arguments)
    if (!a.file.empty()) {
      FILE *f = fopen(a.file.c_str(), "wb");
      if (!f || fwrite(a.bytes.data(), 1, a.bytes.size(), f) != a.bytes.size() ||
          fclose(f))
        perror(a.file.c_str()), exit(1);
    }
}
