// Copies of arrays, and references of a module: textures and surfaces as CUDA had them before version 12.
#pragma once

typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
#define CU_TRSA_OVERRIDE_FORMAT 1
#define CU_TRSF_SRGB 16

extern "C" {
CUresult cuMemcpyHtoA_v2(CUarray, size_t, const void *, size_t), cuMemcpyAtoH_v2(void *, CUarray, size_t, size_t);
CUresult cuMemcpyDtoA_v2(CUarray, size_t, CUdeviceptr, size_t), cuMemcpyAtoD_v2(CUdeviceptr, CUarray, size_t, size_t);
CUresult cuModuleGetTexRef(CUtexref *, CUmodule, const char *), cuModuleGetSurfRef(CUsurfref *, CUmodule, const char *);
CUresult cuTexRefSetArray(CUtexref, CUarray, unsigned), cuTexRefSetMipmappedArray(CUtexref, CUarray, unsigned);
CUresult cuTexRefSetAddress_v2(size_t *, CUtexref, CUdeviceptr, size_t);
CUresult cuTexRefSetAddress2D_v3(CUtexref, const CUDA_ARRAY_DESCRIPTOR *, CUdeviceptr, size_t);
CUresult cuTexRefSetFormat(CUtexref, CUarray_format, int), cuTexRefSetFlags(CUtexref, unsigned);
CUresult cuTexRefSetAddressMode(CUtexref, int, CUaddress_mode), cuTexRefSetFilterMode(CUtexref, CUfilter_mode);
CUresult cuTexRefSetMipmapFilterMode(CUtexref, CUfilter_mode), cuTexRefSetMipmapLevelBias(CUtexref, float);
CUresult cuTexRefSetMipmapLevelClamp(CUtexref, float, float), cuTexRefSetMaxAnisotropy(CUtexref, unsigned);
CUresult cuTexRefSetBorderColor(CUtexref, float *);
CUresult cuTexRefGetAddress_v2(CUdeviceptr *, CUtexref), cuTexRefGetArray(CUarray *, CUtexref);
CUresult cuTexRefGetFormat(CUarray_format *, int *, CUtexref), cuTexRefGetFlags(unsigned *, CUtexref);
CUresult cuTexRefGetAddressMode(CUaddress_mode *, CUtexref, int), cuTexRefGetFilterMode(CUfilter_mode *, CUtexref);
CUresult cuSurfRefSetArray(CUsurfref, CUarray, unsigned), cuSurfRefGetArray(CUarray *, CUsurfref);
}
#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuMemcpyHtoA cuMemcpyHtoA_v2
#define cuMemcpyAtoH cuMemcpyAtoH_v2
#define cuMemcpyDtoA cuMemcpyDtoA_v2
#define cuMemcpyAtoD cuMemcpyAtoD_v2
