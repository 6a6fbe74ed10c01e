// cuBLASLt: products of matrices by descriptions, with what is done to the result (a bias, ReLU, GELU). Its
// descriptions are bytes in the program's memory as often as they are its own; both are the structures here.
#include "hip.h"

// A layout says how a matrix lies; a product what is multiplied and what comes then. Both are known by their
// address, and a program may copy them.
typedef struct {
  uint64_t rows, columns;
  int64_t ld, stride; // elements from a column, or a row, to the next, and from a matrix to the next
  int type, order, batch;
} lt_layout;

typedef struct {
  int compute, scale, pointers, transposed_a, transposed_b, epilogue, bias_type;
  const void *bias;
  int64_t bias_stride;
  const void *scales[4]; // of 8-bit numbers, which are not multiplied here
} lt_product;

enum { LT_COLUMNS, LT_ROWS }; // orders
enum { LT_PLAIN = 1, LT_RELU = 2, LT_BIAS = 4, LT_GELU = 32 }; // bits of an epilogue

static char lt_said_attribute, lt_said_product;

int cublasLtCreate(blas **out) { return cublasCreate_v2(out); }
int cublasLtDestroy(blas *b) { return cublasDestroy_v2(b); }
size_t cublasLtGetVersion(void) { return 130000; }
size_t cublasLtGetCudartVersion(void) { return CUDA_VERSION; }
int cublasLtGetProperty(int which, int *value) { return cublasGetProperty(which, value); }
const char *cublasLtGetStatusName(int status) { return cublasGetStatusName(status); }
const char *cublasLtGetStatusString(int status) { return cublasGetStatusString(status); }

int cublasLtMatrixLayoutInit_internal(lt_layout *l, size_t size, int type, uint64_t rows, uint64_t columns,
                                      int64_t ld) {
  if (!l || size < sizeof *l) return BLAS_INVALID_VALUE;
  memset(l, 0, size);
  *l = (lt_layout){rows, columns, ld, 0, type, LT_COLUMNS, 1};
  return BLAS_SUCCESS;
}

int cublasLtMatmulDescInit_internal(lt_product *p, size_t size, int compute, int scale) {
  if (!p || size < sizeof *p) return BLAS_INVALID_VALUE;
  memset(p, 0, size);
  *p = (lt_product){compute, scale, .epilogue = LT_PLAIN, .bias_type = -1};
  return BLAS_SUCCESS;
}

int cublasLtMatrixLayoutCreate(lt_layout **out, int type, uint64_t rows, uint64_t columns, int64_t ld) {
  if (!out) return BLAS_INVALID_VALUE;
  if (!(*out = malloc(sizeof **out))) return BLAS_ALLOC_FAILED;
  return cublasLtMatrixLayoutInit_internal(*out, sizeof **out, type, rows, columns, ld);
}

int cublasLtMatmulDescCreate(lt_product **out, int compute, int scale) {
  if (!out) return BLAS_INVALID_VALUE;
  if (!(*out = malloc(sizeof **out))) return BLAS_ALLOC_FAILED;
  return cublasLtMatmulDescInit_internal(*out, sizeof **out, compute, scale);
}

int cublasLtMatrixLayoutDestroy(lt_layout *l) { return free(l), BLAS_SUCCESS; }
int cublasLtMatmulDescDestroy(lt_product *p) { return free(p), BLAS_SUCCESS; }

// An attribute is a field, or, without a size, one that says nothing here.
typedef struct {
  int number;
  size_t at, size;
} lt_attribute;

#define LT_FIELD(number, type, field) {number, offsetof(type, field), sizeof ((type *)0)->field}
static const lt_attribute lt_layout_attributes[] = {
    LT_FIELD(0, lt_layout, type),    LT_FIELD(1, lt_layout, order), LT_FIELD(2, lt_layout, rows),
    LT_FIELD(3, lt_layout, columns), LT_FIELD(4, lt_layout, ld),    LT_FIELD(5, lt_layout, batch),
    LT_FIELD(6, lt_layout, stride),  {-1}};
static const lt_attribute lt_product_attributes[] = {
    LT_FIELD(0, lt_product, compute),       LT_FIELD(1, lt_product, scale),
    LT_FIELD(2, lt_product, pointers),      LT_FIELD(3, lt_product, transposed_a),
    LT_FIELD(4, lt_product, transposed_b),  LT_FIELD(7, lt_product, epilogue),
    LT_FIELD(8, lt_product, bias),          LT_FIELD(10, lt_product, bias_stride),
    LT_FIELD(17, lt_product, scales[0]),    LT_FIELD(18, lt_product, scales[1]),
    LT_FIELD(19, lt_product, scales[2]),    LT_FIELD(20, lt_product, scales[3]),
    LT_FIELD(26, lt_product, bias_type),    {15}, {25}, {-1}};

static int lt_set(void *of, const lt_attribute *all, int number, const void *value, size_t size) {
  if (!of || !value) return BLAS_INVALID_VALUE;
  for (; all->number >= 0; all++) {
    if (all->number != number) continue;
    if (all->size && size != all->size) return BLAS_INVALID_VALUE;
    memcpy((char *)of + all->at, value, all->size);
    return BLAS_SUCCESS;
  }
  return blas_missing("an attribute of cuBLASLt that a program sets", &lt_said_attribute);
}

static int lt_get(const void *of, const lt_attribute *all, int number, void *value, size_t size,
                  size_t *written) {
  if (!of) return BLAS_INVALID_VALUE;
  for (; all->number >= 0; all++) {
    if (all->number != number || !all->size) continue;
    if (written) *written = all->size;
    if (!value || size < all->size) return size || !written ? BLAS_INVALID_VALUE : BLAS_SUCCESS;
    memcpy(value, (const char *)of + all->at, all->size);
    return BLAS_SUCCESS;
  }
  return BLAS_INVALID_VALUE;
}

int cublasLtMatrixLayoutSetAttribute(lt_layout *l, int number, const void *value, size_t size) {
  return lt_set(l, lt_layout_attributes, number, value, size);
}
int cublasLtMatrixLayoutGetAttribute(lt_layout *l, int number, void *value, size_t size, size_t *written) {
  return lt_get(l, lt_layout_attributes, number, value, size, written);
}
int cublasLtMatmulDescSetAttribute(lt_product *p, int number, const void *value, size_t size) {
  return lt_set(p, lt_product_attributes, number, value, size);
}
int cublasLtMatmulDescGetAttribute(lt_product *p, int number, void *value, size_t size, size_t *written) {
  return lt_get(p, lt_product_attributes, number, value, size, written);
}

// Preferences are of no use: there is one way.
int cublasLtMatmulPreferenceInit_internal(void *p, size_t size) {
  return p ? (memset(p, 0, size), BLAS_SUCCESS) : BLAS_INVALID_VALUE;
}
int cublasLtMatmulPreferenceCreate(void **out) {
  if (!out) return BLAS_INVALID_VALUE;
  return (*out = calloc(1, 64)) ? BLAS_SUCCESS : BLAS_ALLOC_FAILED;
}
int cublasLtMatmulPreferenceDestroy(void *p) { return free(p), BLAS_SUCCESS; }
int cublasLtMatmulPreferenceSetAttribute(void *p, int number, const void *value, size_t size) {
  (void)number, (void)size;
  return p && value ? BLAS_SUCCESS : BLAS_INVALID_VALUE;
}

// lt_served reports whether a product of such matrices is one that there are kernels for.
static int lt_served(const lt_product *p, const lt_layout *a, const lt_layout *b, const lt_layout *c,
                     const lt_layout *d) {
  const lt_layout *all[] = {a, b, c, d};
  for (int i = 0; i < 4; i++)
    if (all[i]->order > LT_ROWS || all[i]->batch != d->batch || p->scales[i]) return 0;
  // nothing is conjugated alone
  if ((d->type == C_32F || d->type == C_64F) && (a->order | b->order | d->order)) return 0;
  int after = p->epilogue & ~(LT_PLAIN | LT_RELU | LT_BIAS | LT_GELU);
  int real = d->type == R_32F || d->type == R_64F || d->type == R_16F || d->type == R_16BF;
  return a->type == b->type && c->type == d->type && c->order == d->order && factor_types(a->type, d->type) &&
         p->pointers <= 1 && !after && (p->epilogue == LT_PLAIN || real) &&
         (p->bias_type < 0 || p->bias_type == d->type || !(p->epilogue & LT_BIAS));
}

typedef struct {
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
} lt_heuristic;

int cublasLtMatmulAlgoGetHeuristic(blas *h, const lt_product *p, const lt_layout *a, const lt_layout *b,
                                   const lt_layout *c, const lt_layout *d, void *preference, int most,
                                   lt_heuristic *out, int *found) {
  (void)preference;
  if (!h || !p || !a || !b || !c || !d || most < 1 || !out || !found)
    return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
  *found = 0;
  if (!lt_served(p, a, b, c, d)) return blas_missing("cublasLtMatmul of this kind", &lt_said_product);
  memset(out, 0, sizeof *out);
  out->waves = 1, *found = 1;
  return BLAS_SUCCESS;
}

// The argument of the kernel for what comes after a product.
typedef struct {
  void *at;
  const void *bias;
  long long row, column, stride, bias_stride;
  int rows, columns, relu, gelu;
} lt_epilogue;

static int lt_after(blas *b, const lt_product *p, const lt_layout *d, void *D) {
  enum { THREADS = 64 };
  if (p->epilogue == LT_PLAIN) return BLAS_SUCCESS;
  int rows = d->order == LT_ROWS;
  lt_epilogue e = {D, p->epilogue & LT_BIAS ? p->bias : NULL, rows ? d->ld : 1, rows ? 1 : d->ld, d->stride,
                   p->bias_stride, (int)d->rows, (int)d->columns, !!(p->epilogue & LT_RELU),
                   !!(p->epilogue & LT_GELU)};
  if (p->epilogue & LT_BIAS && !p->bias) return BLAS_INVALID_VALUE;
  return blas_run(b, "epilogue", type_name(d->type),
                  (dim3){tiles(d->rows, THREADS), (unsigned)d->columns, (unsigned)d->batch},
                  (dim3){THREADS, 1, 1}, &e);
}

// lt_copy makes D what C is, which the product is added to.
static int lt_copy(blas *b, const lt_layout *c, const void *C, const lt_layout *d, void *D) {
  size_t size = size_of_type(d->type), line = d->order == LT_ROWS ? d->columns : d->rows;
  size_t lines = d->order == LT_ROWS ? d->rows : d->columns;
  for (int i = 0; C != D && i < d->batch; i++)
    if (hipMemcpy2DAsync((char *)D + i * d->stride * size, d->ld * size,
                         (const char *)C + i * c->stride * size, c->ld * size, line * size, lines,
                         DEVICE_TO_DEVICE, b->stream))
      return BLAS_EXECUTION_FAILED;
  return BLAS_SUCCESS;
}

int cublasLtMatmul(blas *h, const lt_product *p, const void *alpha, const void *A, const lt_layout *a,
                   const void *B, const lt_layout *b, const void *beta, const void *C, const lt_layout *c,
                   void *D, const lt_layout *d, const void *algorithm, void *workspace, size_t size,
                   hipStream_t stream) {
  (void)algorithm, (void)workspace, (void)size;
  if (!h || !p || !a || !b || !d) return h ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
  if (!c) c = d;
  if (!lt_served(p, a, b, c, d)) return blas_missing("cublasLtMatmul of this kind", &lt_said_product);
  if ((p->transposed_a ? a->columns : a->rows) != d->rows ||
      (p->transposed_b ? b->rows : b->columns) != d->columns ||
      (p->transposed_a ? a->rows : a->columns) != (p->transposed_b ? b->columns : b->rows))
    return BLAS_INVALID_VALUE;
  blas own = {.stream = stream, .on_device = p->pointers};
  int error = C ? lt_copy(&own, c, C, d, D) : BLAS_SUCCESS;
  // Rows of a matrix are the columns of its transpose; what is transposed is multiplied in the other order.
  int ta = a->order == LT_ROWS ? !p->transposed_a : p->transposed_a;
  int tb = b->order == LT_ROWS ? !p->transposed_b : p->transposed_b;
  int k = (int)(p->transposed_a ? a->rows : a->columns), scalars = p->scale;
  blas_matrix left = {A, NULL, a->ld, a->stride}, right = {B, NULL, b->ld, b->stride},
              to = {D, NULL, d->ld, d->stride};
  blas_product x = {.m = (int)d->rows, .n = (int)d->columns, .k = k, .a = left, .b = right, .c = to};
  if (d->order == LT_ROWS) {
    x = (blas_product){.m = (int)d->columns, .n = (int)d->rows, .k = k, .a = right, .b = left, .c = to};
    int other = !ta;
    ta = !tb, tb = other;
  }
  if (!error) error = gemm(&own, x, ta, tb, alpha, beta, scalars, a->type, b->type, d->type, d->batch);
  return error ? error : lt_after(&own, p, d, D);
}

#define LT_MISSING(name)                         \
  int cublasLt##name(void) {                     \
    static char said;                            \
    return blas_missing("cublasLt" #name, &said); \
  }
LT_MISSING(MatrixTransform) LT_MISSING(MatrixTransformDescCreate) LT_MISSING(MatrixTransformDescDestroy)
LT_MISSING(MatrixTransformDescInit_internal) LT_MISSING(MatrixTransformDescSetAttribute)
LT_MISSING(MatrixTransformDescGetAttribute) LT_MISSING(MatmulPreferenceGetAttribute)
LT_MISSING(MatmulAlgoGetIds) LT_MISSING(MatmulAlgoInit) LT_MISSING(MatmulAlgoCheck)
LT_MISSING(MatmulAlgoCapGetAttribute) LT_MISSING(MatmulAlgoConfigSetAttribute)
LT_MISSING(MatmulAlgoConfigGetAttribute) LT_MISSING(LoggerSetCallback) LT_MISSING(LoggerSetFile)
LT_MISSING(LoggerOpenFile) LT_MISSING(LoggerSetLevel) LT_MISSING(LoggerSetMask) LT_MISSING(LoggerForceDisable)
LT_MISSING(HeuristicsCacheGetCapacity) LT_MISSING(HeuristicsCacheSetCapacity)
LT_MISSING(DisableCpuInstructionsSetMask)
