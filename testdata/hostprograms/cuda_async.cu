// Barriers, pipelines and copies that threads wait for, by the headers that take the place of libcu++'s.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
enum { THREADS = 128, ROUNDS = 4 };

// Half of a block's threads fill a buffer while the other half adds up the one before.
__global__ void barriers(const int *in, int *out) {
  __shared__ int buffer[2][THREADS / 2];
  __shared__ cuda::barrier<cuda::thread_scope_block> filled[2], emptied[2];
  if (threadIdx.x < 2) {
    init(&filled[threadIdx.x], THREADS);
    init(&emptied[threadIdx.x], THREADS);
  }
  __syncthreads();
  int half = threadIdx.x / (THREADS / 2), i = threadIdx.x % (THREADS / 2), sum = 0;
  for (int r = 0; r < ROUNDS; r++) {
    if (half == 0) {
      if (r >= 2) emptied[r % 2].arrive_and_wait();
      buffer[r % 2][i] = in[r * (THREADS / 2) + i];
      auto token = filled[r % 2].arrive();
      (void)token;
    } else {
      filled[r % 2].arrive_and_wait();
      sum += buffer[r % 2][(i + r) % (THREADS / 2)];
      if (r + 2 < ROUNDS) (void)emptied[r % 2].arrive();
    }
  }
  if (half) out[i] = sum;
}

// A barrier of the whole device, in its memory.
__global__ void device_barrier(cuda::barrier<cuda::thread_scope_device> *b, int *out, int n) {
  if (threadIdx.x == 0) {
    out[blockIdx.x] = (int)blockIdx.x + 1;
    b->arrive_and_wait();
    int sum = 0;
    for (int i = 0; i < n; i++) sum += ((volatile int *)out)[i];
    out[n + blockIdx.x] = sum;
  }
}

// Stages of a pipeline that all threads fill and empty; then one that a warp fills for the others.
template <bool Roles> __global__ void pipelines(const int *in, int *out) {
  enum { STAGES = 2 };
  __shared__ int buffer[STAGES][THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto block = cg::this_thread_block();
  auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = Roles ? cuda::make_pipeline(block, &state, role) : cuda::make_pipeline(block, &state);
  auto fill = [&](int r) {
    pipe.producer_acquire();
    if (Roles)
      for (int i = threadIdx.x; i < THREADS; i += 32)
        cuda::memcpy_async(&buffer[r % STAGES][i], in + r * THREADS + i, sizeof(int), pipe);
    else cuda::memcpy_async(block, buffer[r % STAGES], in + r * THREADS, sizeof buffer[0], pipe);
    pipe.producer_commit();
  };
  int sum = 0;
  auto use = [&](int r) {
    pipe.consumer_wait();
    sum += buffer[r % STAGES][THREADS - 1 - threadIdx.x];
    pipe.consumer_release();
  };
  if (Roles && role == cuda::pipeline_role::producer) {
    for (int r = 0; r < ROUNDS; r++) fill(r);
  } else if (Roles) {
    for (int r = 0; r < ROUNDS; r++) use(r);
  } else {
    fill(0);
    for (int r = 0; r < ROUNDS; r++) {
      if (r + 1 < ROUNDS) fill(r + 1);
      use(r);
    }
  }
  out[threadIdx.x] = sum;
}

// Copies by a group, by one thread, and by words with zeros behind.
__global__ void copies(const int *in, int *out) {
  __shared__ alignas(16) int a[THREADS], b[4 * THREADS];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, a, in, sizeof a);
  cg::wait(block);
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&b[4 * threadIdx.x], in + 4 * threadIdx.x, cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[threadIdx.x] = a[THREADS - 1 - threadIdx.x] + b[4 * threadIdx.x + 3];
  __pipeline_memcpy_async(&b[4 * threadIdx.x], in + 4 * threadIdx.x, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] += b[4 * threadIdx.x + 1] + 1000 * b[4 * threadIdx.x + 2];
}

struct pair { int a; double b; };
__global__ void groups(int *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int t = threadIdx.x;
  pair p = tile.shfl_xor(pair{t, t * 0.5}, 3);
  out[t] = cg::inclusive_scan(tile, t) + 1000 * cg::exclusive_scan(tile, 1, cg::plus<int>()) + 100000 * p.a + (int)(2 * p.b);
  if (t % 3 == 1) {
    auto some = cg::coalesced_threads();
    out[t] = -cg::reduce(some, t, cg::plus<int>()) - 10000 * (int)some.ballot(t % 2) - (int)some.match_any(t % 4);
  }
}

int main() {
  enum { N = ROUNDS * THREADS };
  int *in, *out, bad[6] = {};
  cuda::barrier<cuda::thread_scope_device> *b;
  cudaMallocManaged(&in, N * sizeof *in);
  cudaMallocManaged(&out, N * sizeof *out);
  cudaMallocManaged(&b, sizeof *b);
  for (int i = 0; i < N; i++) in[i] = i * i % 1009;
  barriers<<<1, THREADS>>>(in, out);
  bad[0] += cudaDeviceSynchronize();
  for (int i = 0; i < THREADS / 2; i++) {
    int sum = 0;
    for (int r = 0; r < ROUNDS; r++) sum += in[r * THREADS / 2 + (i + r) % (THREADS / 2)];
    bad[0] += out[i] != sum;
  }
  new (b) cuda::barrier<cuda::thread_scope_device>(8);
  device_barrier<<<8, 32>>>(b, out, 8);
  bad[1] += cudaDeviceSynchronize();
  for (int i = 0; i < 8; i++) bad[1] += out[8 + i] != 36;
  for (int roles = 0; roles < 2; roles++) {
    (roles ? pipelines<true> : pipelines<false>)<<<1, THREADS>>>(in, out);
    bad[2 + roles] += cudaDeviceSynchronize();
    for (int i = 32 * roles; i < THREADS; i++) {
      int sum = 0;
      for (int r = 0; r < ROUNDS; r++) sum += in[r * THREADS + THREADS - 1 - i];
      bad[2 + roles] += out[i] != sum;
    }
  }
  copies<<<1, THREADS>>>(in, out);
  bad[4] += cudaDeviceSynchronize();
  for (int i = 0; i < THREADS; i++) bad[4] += out[i] != in[THREADS - 1 - i] + in[4 * i + 3] + in[4 * i + 1];
  groups<<<1, 32>>>(out);
  bad[5] += cudaDeviceSynchronize();
  for (int t = 0; t < 32; t++) {
    int first = t / 8 * 8, sum = 0, odd = 0, same = 0, all = 0, n = 0;
    for (int i = first; i <= t; i++) sum += i;
    int want = sum + 1000 * (t % 8) + 100000 * (t ^ 3) + (t ^ 3);
    for (int i = 1; i < 32; i += 3, n++) all += i, odd |= (i % 2) << n, same |= (i % 4 == t % 4) << n;
    bad[5] += out[t] != (t % 3 == 1 ? -all - 10000 * odd - same : want);
  }
  printf("barriers %d, device %d, pipelines %d %d, copies %d, groups %d\n", bad[0], bad[1], bad[2], bad[3], bad[4], bad[5]);
}
