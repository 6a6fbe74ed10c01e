// main.cpp calls the kernel of a program once for each lane of a wave.
extern "C" void kernel(int *out);

int lane;
static int out[64];

int main() {
  for (lane = 0; lane < 64; lane++)
    kernel(out);
}
