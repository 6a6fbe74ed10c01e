// cuBLAS, as far as libcublas of simtgdb has it: matrices, systems in batches, vectors.
#pragma once
#define CUBLAS_API_H_
#define CUBLAS_V2_H_
#include "cuComplex.h"
#include "cuda_fp16.h"
#include "library_types.h"

typedef struct cublasContext *cublasHandle_t;
typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
#define CUBLAS_GEMM_DFALT CUBLAS_GEMM_DEFAULT
typedef enum {
  CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71, CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t *), cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t), cublasGetStream_v2(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t), cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void *, size_t), cublasGetVersion_v2(cublasHandle_t, int *);
const char *cublasGetStatusName(cublasStatus_t), *cublasGetStatusString(cublasStatus_t);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);

cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *, const void *,
                            cudaDataType, int, const void *, cudaDataType, int, const void *, void *, cudaDataType, int,
                            cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                                   const void *const *, cudaDataType, int, const void *const *, cudaDataType, int,
                                   const void *, void *const *, cudaDataType, int, int, cublasComputeType_t,
                                   cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                          const void *, const void *, cudaDataType, int, long long, const void *,
                                          cudaDataType, int, long long, const void *, void *, cudaDataType, int,
                                          long long, int, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasAxpyEx(cublasHandle_t, int, const void *, cudaDataType, const void *, cudaDataType, int, void *,
                            cudaDataType, int, cudaDataType);
cublasStatus_t cublasScalEx(cublasHandle_t, int, const void *, cudaDataType, void *, cudaDataType, int, cudaDataType);
cublasStatus_t cublasDotEx(cublasHandle_t, int, const void *, cudaDataType, int, const void *, cudaDataType, int, void *,
                           cudaDataType, cudaDataType);
cublasStatus_t cublasDotcEx(cublasHandle_t, int, const void *, cudaDataType, int, const void *, cudaDataType, int, void *,
                            cudaDataType, cudaDataType);
cublasStatus_t cublasNrm2Ex(cublasHandle_t, int, const void *, cudaDataType, int, void *, cudaDataType, cudaDataType);
#define CUBLAS_OF(X, T)                                                                                                    \
  cublasStatus_t cublas##X##gemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T *,        \
                                    const T *, int, const T *, int, const T *, T *, int);                                  \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,               \
                                        const T *, const T *const *, int, const T *const *, int, const T *,                \
                                        T *const *, int, int);                                                             \
  cublasStatus_t cublas##X##gemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,             \
                                               int, const T *, const T *, int, long long, const T *, int,                  \
                                               long long, const T *, T *, int, long long, int);                            \
  cublasStatus_t cublas##X##gemv_v2(cublasHandle_t, cublasOperation_t, int, int, const T *, const T *, int,                \
                                    const T *, int, const T *, T *, int);                                                  \
  cublasStatus_t cublas##X##axpy_v2(cublasHandle_t, int, const T *, const T *, int, T *, int);                             \
  cublasStatus_t cublas##X##scal_v2(cublasHandle_t, int, const T *, T *, int);                                             \
  cublasStatus_t cublas##X##copy_v2(cublasHandle_t, int, const T *, int, T *, int);                                        \
  cublasStatus_t cublas##X##swap_v2(cublasHandle_t, int, T *, int, T *, int);                                              \
  cublasStatus_t cublas##X##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, const T *,                \
                                 const T *, int, const T *, const T *, int, T *, int);                                     \
  cublasStatus_t cublas##X##dgmm(cublasHandle_t, cublasSideMode_t, int, int, const T *, int, const T *, int, T *, int);    \
  cublasStatus_t cublas##X##gemvBatched(cublasHandle_t, cublasOperation_t, int, int, const T *, const T *const *, int,     \
                                        const T *const *, int, const T *, T *const *, int, int);                           \
  cublasStatus_t cublas##X##gemvStridedBatched(cublasHandle_t, cublasOperation_t, int, int, const T *, const T *, int,     \
                                               long long, const T *, int, long long, const T *, T *, int, long long, int);
#define CUBLAS_OF_REAL(X, T)                                                                                               \
  cublasStatus_t cublas##X##trsmBatched(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,             \
                                        cublasDiagType_t, int, int, const T *, const T *const *, int, T *const *,          \
                                        int, int);                                                                         \
  cublasStatus_t cublas##X##trsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,                 \
                                    cublasDiagType_t, int, int, const T *, const T *, int, T *, int);                      \
  cublasStatus_t cublas##X##ger_v2(cublasHandle_t, int, int, const T *, const T *, int, const T *, int, T *, int);         \
  cublasStatus_t cublas##X##dot_v2(cublasHandle_t, int, const T *, int, const T *, int, T *);                              \
  cublasStatus_t cublas##X##nrm2_v2(cublasHandle_t, int, const T *, int, T *);                                             \
  cublasStatus_t cublas##X##asum_v2(cublasHandle_t, int, const T *, int, T *);                                             \
  cublasStatus_t cublasI##X##amax_v2(cublasHandle_t, int, const T *, int, int *);                                          \
  cublasStatus_t cublasI##X##amin_v2(cublasHandle_t, int, const T *, int, int *);                                          \
  cublasStatus_t cublas##X##syrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const T *, const T *,   \
                                    int, const T *, T *, int);                                                             \
  cublasStatus_t cublas##X##getrfBatched(cublasHandle_t, int, T *const *, int, int *, int *, int);                         \
  cublasStatus_t cublas##X##getrsBatched(cublasHandle_t, cublasOperation_t, int, int, const T *const *, int, const int *,  \
                                         T *const *, int, int *, int);                                                     \
  cublasStatus_t cublas##X##getriBatched(cublasHandle_t, int, const T *const *, int, const int *, T *const *, int, int *,  \
                                         int);
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const __half *,
                           const __half *, int, const __half *, int, const __half *, __half *, int);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const __half *,
                                  const __half *const *, int, const __half *const *, int, const __half *,
                                  __half *const *, int, int);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                         const __half *, const __half *, int, long long, const __half *, int,
                                         long long, const __half *, __half *, int, long long, int);
CUBLAS_OF(S, float)
CUBLAS_OF(D, double)
CUBLAS_OF(C, cuComplex)
CUBLAS_OF(Z, cuDoubleComplex)
CUBLAS_OF_REAL(S, float)
CUBLAS_OF_REAL(D, double)
#undef CUBLAS_OF
#undef CUBLAS_OF_REAL
cublasStatus_t cublasCdotu_v2(cublasHandle_t, int, const cuComplex *, int, const cuComplex *, int, cuComplex *);
cublasStatus_t cublasCdotc_v2(cublasHandle_t, int, const cuComplex *, int, const cuComplex *, int, cuComplex *);
cublasStatus_t cublasZdotu_v2(cublasHandle_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
                              cuDoubleComplex *);
cublasStatus_t cublasZdotc_v2(cublasHandle_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
                              cuDoubleComplex *);
cublasStatus_t cublasScnrm2_v2(cublasHandle_t, int, const cuComplex *, int, float *);
cublasStatus_t cublasDznrm2_v2(cublasHandle_t, int, const cuDoubleComplex *, int, double *);
}

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2
#define cublasCgemm cublasCgemm_v2
#define cublasZgemm cublasZgemm_v2
#define cublasCgemv cublasCgemv_v2
#define cublasZgemv cublasZgemv_v2
#define cublasCaxpy cublasCaxpy_v2
#define cublasZaxpy cublasZaxpy_v2
#define cublasCscal cublasCscal_v2
#define cublasZscal cublasZscal_v2
#define cublasCcopy cublasCcopy_v2
#define cublasZcopy cublasZcopy_v2
#define cublasCswap cublasCswap_v2
#define cublasZswap cublasZswap_v2
#define cublasCdotu cublasCdotu_v2
#define cublasCdotc cublasCdotc_v2
#define cublasZdotu cublasZdotu_v2
#define cublasZdotc cublasZdotc_v2
#define cublasScnrm2 cublasScnrm2_v2
#define cublasDznrm2 cublasDznrm2_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasDsyrk cublasDsyrk_v2
