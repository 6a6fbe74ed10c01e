// Runs print_hip on the host for 210 work-items, one after the other, with the
// C library's printf. The texts are what the kernel's must be.
#include "../src/print_hip.hip"

int item;

int main() {
  enum { Items = 210 };
  static int in[Items], results[Items];
  for (item = 0; item < Items; item++) {
    in[item] = item;
    print_hip(in, "word in memory", "%d: dynamic %d\n", results);
  }
}
