int twice(int v) {
  int sum = v + v;
  return sum;
}

void toy(int *out) {
  int lane = LANE;
  int r = 0;
  if (lane & 1)
    r = twice(lane);
  else
    r = 7;
  out[lane] = r;
}
