// Prints with the C library what printf_test.go asks for. Each line of the
// input is a call:
//
//     STARS STAR1 STAR2 TYPE VALUE FORMAT
//
// STARS is how many values of the format are for *, TYPE is i (int), l (long),
// d (double, its bits), s (string, in hex), 0 (a null pointer) or p (pointer);
// VALUE and FORMAT are in hex. The text is written in hex.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Room = 1 << 17 };

static void unhex(char *to, const char *from) {
  unsigned byte;
  if (!strcmp(from, "-"))
    from = "";
  for (; *from; from += 2, to++) {
    sscanf(from, "%2x", &byte);
    *to = (char)byte;
  }
  *to = 0;
}

#define CALL(value)                                                            \
  (stars == 0   ? snprintf(text, Room, format, value)                          \
   : stars == 1 ? snprintf(text, Room, format, s1, value)                      \
                : snprintf(text, Room, format, s1, s2, value))

int main(void) {
  static char line[Room], in[Room], format[Room], value[Room], text[Room];
  while (fgets(line, Room, stdin)) {
    int stars, s1, s2, n = -1;
    char type;
    if (sscanf(line, "%d %d %d %c %s %s", &stars, &s1, &s2, &type, value, in) != 6)
      return 1;
    unhex(format, in);
    uint64_t bits = strtoull(value, NULL, 16);
    double number;
    memcpy(&number, &bits, 8);
    switch (type) {
    case 'i': n = CALL((int)bits); break;
    case 'l': n = CALL((long)bits); break;
    case 'd': n = CALL(number); break;
    case 'p': n = CALL((void *)bits); break;
    case '0': n = CALL((char *)NULL); break;
    case 's': unhex(in, value); n = CALL(in); break;
    }
    for (int i = 0; i < n; i++)
      printf("%02x", (unsigned char)text[i]);
    puts(n < 0 ? "error" : "");
  }
}
