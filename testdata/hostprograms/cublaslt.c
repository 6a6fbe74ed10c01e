// A host program of cuBLASLt, linked with libcudart and libcublasLt: products of matrices in either order, transposed or
// not, in batches, with what may come after a product. What it computes it computes by itself too.
#include "expect.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef void *object;
int cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaFree(void *);
int cublasLtCreate(object *), cublasLtDestroy(object), cublasLtMatrixLayoutDestroy(object), cublasLtMatmulDescDestroy(object);
int cublasLtMatrixLayoutCreate(object *, int, uint64_t, uint64_t, int64_t);
int cublasLtMatrixLayoutInit_internal(object, size_t, int, uint64_t, uint64_t, int64_t);
int cublasLtMatrixLayoutSetAttribute(object, int, const void *, size_t);
int cublasLtMatrixLayoutGetAttribute(object, int, void *, size_t, size_t *);
int cublasLtMatmulDescCreate(object *, int, int), cublasLtMatmulDescSetAttribute(object, int, const void *, size_t);
int cublasLtMatmulPreferenceCreate(object *), cublasLtMatmulPreferenceDestroy(object);
int cublasLtMatmulPreferenceSetAttribute(object, int, const void *, size_t);
int cublasLtMatmulAlgoGetHeuristic(object, object, object, object, object, object, object, int, void *, int *);
int cublasLtMatmul(object, object, const void *, const void *, object, const void *, object, const void *, const void *,
                   object, void *, object, const void *, void *, size_t, void *);
int cublasLtMatrixTransform(void);

enum { R_32F = 0, R_8F = 28, COMPUTE_32F = 68, BATCH = 2, M = 5, WIDTH = 7, K = 4, PAD = 3 };

typedef struct {
  int rows, columns, by_rows, ld, stride;
  float at[BATCH * 16 * 16], *device;
  object layout;
} matrix;

static float *element(matrix *m, int batch, int row, int column) {
  return m->at + batch * m->stride + (m->by_rows ? row * m->ld + column : column * m->ld + row);
}

static void make(matrix *m, int rows, int columns, int by_rows, int seed) {
  *m = (matrix){rows, columns, by_rows, (by_rows ? columns : rows) + PAD};
  m->stride = m->ld * (by_rows ? rows : columns) + 1;
  for (unsigned i = 0; i < sizeof m->at / sizeof *m->at; i++) m->at[i] = (float)((i * 7 + seed) % 11) - 5;
  OK(cudaMalloc((void **)&m->device, sizeof m->at));
  OK(cudaMemcpy(m->device, m->at, sizeof m->at, 1));
  int order = by_rows, batch = BATCH;
  int64_t stride = m->stride;
  OK(cublasLtMatrixLayoutCreate(&m->layout, R_32F, rows, columns, m->ld));
  OK(cublasLtMatrixLayoutSetAttribute(m->layout, 1, &order, sizeof order));
  OK(cublasLtMatrixLayoutSetAttribute(m->layout, 5, &batch, sizeof batch));
  OK(cublasLtMatrixLayoutSetAttribute(m->layout, 6, &stride, sizeof stride));
}

static void drop(matrix *m) {
  OK(cublasLtMatrixLayoutDestroy(m->layout));
  OK(cudaFree(m->device));
}

static int wrong, all;

// product checks D = 2 op(A) op(B) - C and what comes then.
static void product(object h, int ta, int tb, int orders, int epilogue) {
  static matrix a, b, c, d;
  make(&a, ta ? K : M, ta ? M : K, orders & 1, 1), make(&b, tb ? WIDTH : K, tb ? K : WIDTH, orders >> 1 & 1, 4);
  make(&c, M, WIDTH, orders >> 2, 6), make(&d, M, WIDTH, orders >> 2, 0);
  float bias[M] = {1, -2, 30, -40, 0.5f}, *on_device, alpha = 2, beta = -1;
  OK(cudaMalloc((void **)&on_device, sizeof bias));
  OK(cudaMemcpy(on_device, bias, sizeof bias, 1));
  object p, preference;
  uint64_t algorithm[16];
  size_t most = 1 << 20;
  int found;
  OK(cublasLtMatmulDescCreate(&p, COMPUTE_32F, R_32F));
  OK(cublasLtMatmulDescSetAttribute(p, 3, &ta, sizeof ta));
  OK(cublasLtMatmulDescSetAttribute(p, 4, &tb, sizeof tb));
  OK(cublasLtMatmulDescSetAttribute(p, 7, &epilogue, sizeof epilogue));
  OK(cublasLtMatmulDescSetAttribute(p, 8, &on_device, sizeof on_device));
  OK(cublasLtMatmulPreferenceCreate(&preference));
  OK(cublasLtMatmulPreferenceSetAttribute(preference, 1, &most, sizeof most));
  OK(cublasLtMatmulAlgoGetHeuristic(h, p, a.layout, b.layout, c.layout, d.layout, preference, 1, algorithm, &found));
  expect("ways", found, 1);
  OK(cublasLtMatmul(h, p, &alpha, a.device, a.layout, b.device, b.layout, &beta, c.device, c.layout, d.device, d.layout,
                    algorithm, NULL, 0, NULL));
  float untouched[sizeof d.at / sizeof *d.at];
  memcpy(untouched, d.at, sizeof d.at);
  OK(cudaMemcpy(d.at, d.device, sizeof d.at, 2));
  for (int s = 0; s < BATCH; s++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < WIDTH; j++) {
        double sum = 0;
        for (int k = 0; k < K; k++)
          sum += *element(&a, s, ta ? k : i, ta ? i : k) * *element(&b, s, tb ? j : k, tb ? k : j);
        sum = 2 * sum - *element(&c, s, i, j);
        if (epilogue & 4) sum += bias[i];
        if (epilogue & 2) sum = fmax(sum, 0);
        if (epilogue & 32) sum = sum / 2 * (1 + tanh(sqrt(2 / M_PI) * (sum + 0.044715 * sum * sum * sum)));
        float *got = element(&d, s, i, j);
        all++, wrong += !(fabs(*got - sum) <= 1e-5 * fmax(1, fabs(sum)));
        *got = untouched[got - d.at];
      }
  wrong += memcmp(d.at, untouched, sizeof untouched) != 0; // what lies between
  OK(cublasLtMatmulDescDestroy(p));
  OK(cublasLtMatmulPreferenceDestroy(preference));
  drop(&a), drop(&b), drop(&c), drop(&d);
  OK(cudaFree(on_device));
}

int main() {
  object h, small, p;
  OK(cublasLtCreate(&h));
  static const int epilogues[] = {1, 2, 4, 6, 32, 36};
  for (int i = 0; i < 32; i++) product(h, i & 1, i >> 1 & 1, i >> 2, epilogues[i % 6]);
  printf("%d elements, %d wrong\n", all, wrong);
  uint64_t own[8], rows;
  size_t written;
  IS(7, cublasLtMatrixLayoutInit_internal(own, 8, R_32F, 3, 4, 5));
  OK(cublasLtMatrixLayoutInit_internal(own, sizeof own, R_32F, 3, 4, 5));
  OK(cublasLtMatrixLayoutGetAttribute(own, 2, &rows, sizeof rows, &written));
  expect("rows", rows, 3), expect("bytes", written, sizeof rows);
  IS(7, cublasLtMatrixLayoutSetAttribute(own, 2, &rows, 4));
  OK(cublasLtMatrixLayoutCreate(&small, R_8F, 16, 16, 16));
  OK(cublasLtMatmulDescCreate(&p, COMPUTE_32F, R_32F));
  float one = 1;
  IS(15, cublasLtMatmul(h, p, &one, own, small, own, small, &one, own, small, own, small, NULL, NULL, 0, NULL));
  IS(15, cublasLtMatrixTransform());
  OK(cublasLtDestroy(h));
}
