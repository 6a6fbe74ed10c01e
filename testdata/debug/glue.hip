// glue: statements behind divergent control flow, where lanes that were switched
// off execute again in the middle of a row.
#define DEVICE __attribute__((device, noinline))
#define KERNEL extern "C" __attribute__((global)) void

DEVICE int chain(int x) {
  if (x % 5 == 0)
    x += 3;
  else if (x % 3 == 0)
    x *= 2;
  return -x;
}

DEVICE int loop(int n) {
  int k = 0, odd = 0;
  do {
    k++;
    if (k % 2 == n % 2)
      continue;
    odd += k;
  } while (k < n);
  return odd;
}

DEVICE int nested(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      if (j == 3)
        break;
      if ((i + j) % 2)
        continue;
      sum += j;
    }
    if (sum > 40)
      break;
    sum += i;
  }
  return sum;
}

DEVICE int cases(int x) {
  int r = 0;
  switch (x % 6) {
  case 0:
    r = 1;
  case 1:
    r += 10;
    break;
  case 2:
    return x;
  case 3:
    if (x > 30)
      goto out;
    r = 5;
    break;
  default:
    r = x && x % 4 || x > 50 ? 7 : 8;
  }
  r *= 2;
out:
  return r;
}

KERNEL glue(int *out) {
  int id = __builtin_amdgcn_workitem_id_x();
  out[id] = chain(id) + loop(id % 9 + 1) + nested(id % 12) + cases(id);
}
