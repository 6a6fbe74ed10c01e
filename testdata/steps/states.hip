// states: a switch in a loop, whose cases choose the next, return, break and continue.
#include "lane.h"

enum State { Start, Digit, Sign, Space, Error, End };

DEVICE int parse(unsigned text) {
  State s = Start;
  int value = 0, sign = 1;
  for (;;) {
    int c = text & 7;
    text >>= 3;
    switch (s) {
    case Start:
      if (c == 7) {
        s = Sign;
        break;
      }
    case Sign:
      if (c < 5) {
        s = Digit;
        value = c;
        continue;
      }
      s = c == 6 ? Space : Error;
      break;
    case Digit:
      if (c == 0) {
        s = End;
        break;
      }
      switch (c) {
      case 5:
        sign = -sign;
        break;
      case 6:
        return value;
      default:
        value = value * 5 + c;
      }
      break;
    case Space:
      s = Start;
      if (text == 0)
        return -2;
      break;
    case Error:
      return -1;
    case End:
      return sign * value;
    }
  }
}

KERNEL kernel(int *out) {
  int id = LANE;
  out[id] = parse(id * 37 % 512);
}
