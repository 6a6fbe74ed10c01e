#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { int r[]; };

int collatz(int n) {
    int steps = 0;
    while (n != 1) {
        if (n % 2 == 0) {
            n /= 2;
        } else {
            n = 3 * n + 1;
        }
        steps++;
        if (steps > 200) {
            return -1;
        }
    }
    return steps;
}

int classify(int i) {
    switch (i % 7) {
    case 0:
        return 100;
    case 1:
    case 2:
        i += 10;
    case 3:
        i *= 2;
        break;
    case 5:
        for (int k = 0; k < i; k++) {
            if (k == 3) {
                continue;
            }
            if (k == 9) {
                break;
            }
            i -= k;
        }
        break;
    default:
        i = -i;
    }
    return i;
}

void main() {
    int i = int(gl_GlobalInvocationID.x);
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = i; j < 5; j++) {
            if ((i + j) % 3 == 1) {
                continue;
            }
            sum += i * j;
        }
    }
    for (int i = 0; i < 3; i++) {
        sum += i;
    }
    int found = -1;
    for (int k = 1; k < 100; k++) {
        if (k * k > i * 3) {
            found = k;
            break;
        }
    }
    do {
        sum += found;
        found--;
    } while (found > i % 4);
    if (i == 77) {
        return;
    }
    r[i] = collatz(i + 1) * 1000 + classify(i) + sum;
}
