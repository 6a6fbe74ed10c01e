// Types of the driver's functions, for programs that ask for their addresses.
#pragma once
#include "cuda.h"

#define CUDA_FUNCTION(name, version) \
  typedef decltype(&name) PFN_##name; \
  typedef PFN_##name PFN_##name##_##version;
CUDA_FUNCTION(cuInit, v2000)
CUDA_FUNCTION(cuDriverGetVersion, v2020)
CUDA_FUNCTION(cuDeviceGet, v2000)
CUDA_FUNCTION(cuDeviceGetAttribute, v2000)
CUDA_FUNCTION(cuModuleGetFunction, v2000)
CUDA_FUNCTION(cuLaunchKernel, v4000)
CUDA_FUNCTION(cuTensorMapEncodeTiled, v12000)
CUDA_FUNCTION(cuTensorMapEncodeIm2col, v12000)
CUDA_FUNCTION(cuTensorMapReplaceAddress, v12000)
#undef CUDA_FUNCTION
