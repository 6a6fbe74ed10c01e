// What a host program can do, by names that its arguments have behind the first: each in a process of its own, whose
// name is told first.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct way {
  const char *name;
  void (*run)(void);
};
#define WAY(f) {#f, f},

// run_ways lets start prepare each with the first argument.
static int run_ways(const struct way *ways, size_t n, int argc, char **argv,
                    void (*start)(const char *object, void (*way)(void))) {
  for (int i = 2; i < argc; i++)
    for (size_t k = 0; k < n; k++) {
      if (strcmp(argv[i], ways[k].name)) continue;
      fprintf(stderr, "%s\n", ways[k].name), fflush(stderr);
      if (!fork()) start(argv[1], ways[k].run), exit(0);
      wait(NULL);
    }
  return 0;
}
