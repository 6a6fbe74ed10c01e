// What host programs of HIP expect of its functions, and of what they compute; and scenarios that their
// arguments name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) IS(0, call)
#define IS(want, call)                                                                                      \
  do {                                                                                                      \
    int result = (int)(call);                                                                               \
    if (result != (want)) {                                                                                 \
      printf("%s: error %d, not %d\n", #call, result, (int)(want));                                         \
      exit(1);                                                                                              \
    }                                                                                                       \
  } while (0)

enum { N = 100 };

static void expect(const char *what, int got, int want) {
  if (got == want) return;
  printf("%s: %d, not %d\n", what, got, want);
  exit(1);
}

typedef struct {
  const char *name;
  void (*run)(void);
} scenario;

// run_scenarios runs those of a list, which ends with one without a name, that the arguments name.
static int run_scenarios(const scenario *list, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    for (const scenario *s = list; s->name; s++)
      if (!strcmp(argv[i], s->name)) {
        s->run();
        printf("%s: done\n", argv[i]);
        fflush(stdout);
      }
  return 0;
}
