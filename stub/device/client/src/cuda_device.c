// What CUDA's APIs tell of the device: its attributes, by their own numbers, and its properties.
#include "hip.h"

enum { WARP = 32, SHARED = 48 << 10, CONSTANT = 64 << 10, BLOCKS_PER_UNIT = 32 };

// image_attribute is how long a side of an image may be, or how many layers one may have.
static int image_attribute(int attribute) {
  enum { LAYERS = 2048, PITCH = 1 << 20 };
  image_sides most = sides();
  const device_attribute table[] = {
      {21, most.line},                                         // texture of one dimension,
      {22, most.plane},  {23, most.plane},                     // of two
      {24, most.volume}, {25, most.volume}, {26, most.volume}, // and three;
      {27, most.plane},  {28, most.plane},  {29, LAYERS},      // with layers
      {42, most.line},   {43, LAYERS},                         // of one dimension;
      {45, most.plane},  {46, most.plane},                     // gathered from;
      {52, most.plane},  {53, most.plane},  {54, LAYERS},      // cubes
      {55, most.line},                                         // surface of one dimension,
      {56, most.plane},  {57, most.plane},                     // of two
      {58, most.volume}, {59, most.volume}, {60, most.volume}, // and three;
      {61, most.line},   {62, LAYERS},                         // with layers
      {63, most.plane},  {64, most.plane},  {65, LAYERS},      // of two dimensions;
      {66, most.plane},  {67, most.plane},  {68, LAYERS},      // cubes
      {69, most.linear},                                       // texture of linear memory,
      {70, most.plane},  {71, most.plane},  {72, PITCH},       // of memory with a pitch,
      {73, most.plane},  {74, most.plane},  {77, most.line},   // with several levels
  };
  return valued(table, sizeof table / sizeof *table, attribute);
}

// cuDeviceGetAttribute knows the CUdevice_attributes that are not 0.
int cuDeviceGetAttribute(int *out, int attribute, int device) {
  int error = ready(device);
  if (error || !out) return hip_done(error ? error : hipErrorInvalidValue);
  const processor *p = this_processor();
  const device_attribute table[] = {
      {1, MAX_THREADS},  // of a block
      {2, MAX_THREADS},
      {3, MAX_THREADS},
      {4, 64},
      {5, GRID},
      {6, 65535},
      {7, 65535},
      {8, SHARED},
      {9, CONSTANT},
      {10, WARP},
      {11, GRID},        // of a pitch
      {12, REGISTERS},
      {13, CLOCK},
      {14, 512},         // alignment of textures
      {15, 1},           // copies beside kernels
      {16, p->units},
      {19, 1},           // memory of the host is mapped
      {31, 1},           // kernels beside each other
      {33, 1},           // number of the bus
      {36, MEMORY_CLOCK},
      {37, BUS},
      {38, L2},
      {39, THREADS_PER_UNIT},
      {40, 1},           // engines for copies
      {41, 1},           // one space of addresses
      {51, 32},          // alignment of pitches of textures
      {75, p->major},
      {76, p->minor},
      {78, 1},           // priorities
      {79, 1},
      {80, 1},
      {81, (int)LDS},
      {82, REGISTERS},
      {83, 1},           // managed memory
      {87, 2},           // speed of floats to that of doubles
      {89, 1},           // which the host may use beside kernels
      {90, 1},           // preemption
      {91, 1},           // pointers of the host's registered memory
      {92, 1},           // streams that wait for values, and write them,
      {93, 1},           // of 64 bits, too,
      {94, 1},           // and by "nor"
      {95, 1},           // cooperative launches
      {97, (int)LDS},
      {99, 1},           // memory can be registered
      {102, 1},          // virtual memory
      {106, BLOCKS_PER_UNIT},
      {115, 1},          // memory pools
      {120, 1},          // clusters
      {122, 1},          // what 93 and 94 are from CUDA 12 on
      {123, 1},
  };
  int value = valued(table, sizeof table / sizeof *table, attribute);
  *out = value ? value : image_attribute(attribute);
  return hipSuccess;
}

extern __typeof__(cuDeviceGetAttribute) cudaDeviceGetAttribute __attribute__((alias("cuDeviceGetAttribute")));

// cudaGetDeviceProperties_v2 fills struct cudaDeviceProp of CUDA 12, which HIP's of version 6 was made after,
// and ends earlier than that.
int cudaGetDeviceProperties_v2(void *out, int device) {
  enum { SIZE_12 = 1032, ROOM = 1472, UUID = 256, SHARED_PER_BLOCK = 296, WARP_SIZE = 308, DIM_Z = 332 };
  int error = ready(device);
  if (error || !out) return hip_done(error ? error : hipErrorInvalidValue);
  unsigned char all[ROOM];
  properties(all, 6);
  memset(all + SIZE_12, 0, sizeof all - SIZE_12);
  const int warp = WARP, dim = 64;
  const size_t shared = SHARED, constant = CONSTANT;
  memcpy(all + SHARED_PER_BLOCK, &shared, sizeof shared);
  memcpy(all + WARP_SIZE, &warp, sizeof warp);
  memcpy(all + DIM_Z, &dim, sizeof dim);
  memcpy(all + 352, &constant, sizeof constant);
  memset(all + 736, 0, SIZE_12 - 736);
  memcpy(out, all, SIZE_12);
  return hipSuccess;
}

// cudaGetDeviceProperties fills struct cudaDeviceProp of CUDA 13, which is that of 12 without some fields
// that all programs got from attributes: what lies between these has moved.
int cudaGetDeviceProperties(void *out, int device) {
  enum { SIZE_12 = 1032, SIZE_13 = 1008 };
  static const struct {
    unsigned short from, to, end; // end: of what is at from
  } parts[] = {{0, 0, 348},       {352, 352, 384},   {388, 384, 392},   {396, 388, 404},   {408, 396, 416},
               {420, 404, 608},   {612, 592, 640},   {640, 624, 668},   {672, 652, 692},   {696, 672, 1032}};
  unsigned char old[SIZE_12], all[SIZE_13] = {0};
  int error = out ? cudaGetDeviceProperties_v2(old, device) : hip_done(hipErrorInvalidValue);
  if (error) return error;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    memcpy(all + parts[i].to, old + parts[i].from, parts[i].end - parts[i].from);
  memcpy(out, all, sizeof all);
  return hipSuccess;
}

int cuDeviceGetProperties(int *out, int device) {
  int error = ready(device);
  if (error || !out) return hip_done(error ? error : hipErrorInvalidValue);
  const int all[] = {MAX_THREADS, MAX_THREADS, MAX_THREADS, 64,   GRID,      65535, 65535,
                     SHARED,      CONSTANT,    WARP,        GRID, REGISTERS, CLOCK, 512};
  memcpy(out, all, sizeof all);
  return hipSuccess;
}

int cuDeviceGetExecAffinitySupport(int *out, int type, int device) {
  (void)type, (void)device;
  if (out) *out = 0;
  return hip_done(out ? hipSuccess : hipErrorInvalidValue);
}

// CUDA_VERSION is the version of CUDA that the libraries serve: the first of 13.
enum { CUDA_VERSION = 13000 };

int cuDriverGetVersion(int *version) {
  if (version) *version = CUDA_VERSION;
  return hip_done(version ? hipSuccess : hipErrorInvalidValue);
}

extern __typeof__(cuDriverGetVersion) cudaDriverGetVersion __attribute__((alias("cuDriverGetVersion")));

// cudaRuntimeGetVersion gives the version by whose name the library was loaded.
int cudaRuntimeGetVersion(int *version) {
  Dl_info info;
  int found = 0;
  const char *so = NULL;
  if (!version) return hip_done(hipErrorInvalidValue);
  if (dladdr((void *)cudaRuntimeGetVersion, &info) && info.dli_fname)
    so = strstr(info.dli_fname, "cudart.so.");
  if (so) found = atoi(so + strlen("cudart.so.")) * 1000;
  *version = found ? found : CUDA_VERSION;
  return hipSuccess;
}

// Errors have HIP's numbers, and names of both APIs' own.

// names_of_errors are those that do not follow from HIP's.
static const struct {
  int error;
  const char *runtime, *driver;
} names_of_errors[] = {
    {0, "cudaSuccess", "CUDA_SUCCESS"},
    {2, "cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY"},
    {3, "cudaErrorInitializationError", "CUDA_ERROR_NOT_INITIALIZED"},
    {4, "cudaErrorCudartUnloading", "CUDA_ERROR_DEINITIALIZED"},
    {200, "cudaErrorInvalidKernelImage", "CUDA_ERROR_INVALID_IMAGE"},
    {201, "cudaErrorDeviceUninitialized", "CUDA_ERROR_INVALID_CONTEXT"},
    {209, "cudaErrorNoKernelImageForDevice", "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {217, "cudaErrorPeerAccessUnsupported", "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"},
    {218, "cudaErrorInvalidPtx", "CUDA_ERROR_INVALID_PTX"},
    {400, "cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE"},
    {500, "cudaErrorSymbolNotFound", "CUDA_ERROR_NOT_FOUND"},
    {701, "cudaErrorLaunchOutOfResources", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {702, "cudaErrorLaunchTimeout", "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {719, "cudaErrorLaunchFailure", "CUDA_ERROR_LAUNCH_FAILED"},
};

// named makes a name of CUDA's of one of HIP's: of both, what follows "hipError" is the same, but for how
// words are set apart.
static const char *named(int error, int driver, char *room) {
  const char *name = hipGetErrorName(error);
  for (size_t i = 0; i < sizeof names_of_errors / sizeof *names_of_errors; i++)
    if (names_of_errors[i].error == error)
      return driver ? names_of_errors[i].driver : names_of_errors[i].runtime;
  char *at = room + sprintf(room, "%s", driver ? "CUDA_ERROR" : "cudaError");
  for (name += strlen("hipError"); *name; name++) {
    int capital = *name >= 'A' && *name <= 'Z';
    if (driver && capital) *at++ = '_';
    *at++ = driver && !capital ? (char)(*name - 'a' + 'A') : *name;
  }
  *at = 0;
  return room;
}

// known_error reports whether a number is an error's.
static int known_error(int error) {
  return error == hipErrorUnknown || strcmp(hipGetErrorName(error), "hipErrorUnknown");
}

enum { ERROR_NAME = 64, ERRORS = 1000 };
// made when they are asked for; who makes one twice writes the same
static char error_names[2][ERRORS][ERROR_NAME];

static const char *name_of_error(int error, int driver) {
  if (error < 0 || error >= ERRORS || !known_error(error)) return NULL;
  return named(error, driver, error_names[driver][error]);
}

const char *cudaGetErrorName(int error) {
  const char *name = name_of_error(error, 0);
  return name ? name : "unrecognized error code";
}

const char *cudaGetErrorString(int error) {
  return name_of_error(error, 0) ? hipGetErrorString(error) : "unrecognized error code";
}

int cuGetErrorName(int error, const char **out) {
  if (out) *out = name_of_error(error, 1);
  return out && *out ? hipSuccess : hipErrorInvalidValue;
}

int cuGetErrorString(int error, const char **out) {
  if (out) *out = name_of_error(error, 1) ? hipGetErrorString(error) : NULL;
  return out && *out ? hipSuccess : hipErrorInvalidValue;
}
