// What the HIP runtime API tells of the device, and what it lets programs set
// that makes no difference here.
#include "amd_image.h"
#include "hip.h"

// hip_version is the version of HIP that the program was built for, from the
// name by which this library was loaded: libamdhip64.so.5 is version 5.
int hip_version(void) {
#ifdef API_VERSION
  return API_VERSION;
#endif
  static int version;
  Dl_info info;
  if (version) return version;
  int found = 6;
  const char *so = NULL;
  if (dladdr((void *)hip_version, &info) && info.dli_fname) so = strstr(info.dli_fname, ".so.");
  if (so && so[4] >= '1' && so[4] <= '9') found = so[4] - '0';
  return version = found;
}

// A processor is what there is to know of a device of its kind. A unit of gfx10 to gfx12 is a pair of compute
// units, as HIP counts them.
typedef struct {
  const char *name, *product;
  int major, minor, units;
  int registers; // of a lane, that the waves of a SIMD unit have together
  int wave;      // lanes of a wave
} processor;

#define NAMED(name, ...) {name, "Simulated " name, __VA_ARGS__}
static const processor processors[] = {
    NAMED("gfx900", 9, 0, 64, 256, 64),     NAMED("gfx906", 9, 0, 60, 256, 64),
    NAMED("gfx908", 9, 0, 120, 256, 64),    NAMED("gfx90a", 9, 0, 104, 512, 64),
    NAMED("gfx942", 9, 4, 304, 512, 64),    NAMED("gfx950", 9, 5, 256, 512, 64),
    NAMED("gfx1010", 10, 1, 20, 1024, 32),  NAMED("gfx1011", 10, 1, 18, 1024, 32),
    NAMED("gfx1012", 10, 1, 12, 1024, 32),  NAMED("gfx1013", 10, 1, 20, 1024, 32),
    NAMED("gfx1030", 10, 3, 40, 1024, 32),  NAMED("gfx1031", 10, 3, 20, 1024, 32),
    NAMED("gfx1032", 10, 3, 16, 1024, 32),  NAMED("gfx1033", 10, 3, 4, 1024, 32),
    NAMED("gfx1034", 10, 3, 8, 1024, 32),   NAMED("gfx1035", 10, 3, 6, 1024, 32),
    NAMED("gfx1036", 10, 3, 1, 1024, 32),   NAMED("gfx1100", 11, 0, 48, 1536, 32),
    NAMED("gfx1101", 11, 0, 30, 1536, 32),  NAMED("gfx1102", 11, 0, 16, 1024, 32),
    NAMED("gfx1103", 11, 0, 6, 1024, 32),   NAMED("gfx1150", 11, 5, 8, 1024, 32),
    NAMED("gfx1151", 11, 5, 20, 1536, 32),  NAMED("gfx1152", 11, 5, 4, 1024, 32),
    NAMED("gfx1153", 11, 5, 1, 1024, 32),   NAMED("gfx1200", 12, 0, 16, 1536, 32),
    NAMED("gfx1201", 12, 0, 32, 1536, 32),  NAMED("gfx1250", 12, 5, 128, 1024, 32),
    NAMED("gfx1251", 12, 5, 128, 1024, 32), NAMED("sm_70", 7, 0, 80, 512, 32),
    NAMED("sm_75", 7, 5, 68, 512, 32),      NAMED("sm_80", 8, 0, 108, 512, 32),
    NAMED("sm_86", 8, 6, 84, 512, 32),      NAMED("sm_89", 8, 9, 128, 512, 32),
    NAMED("sm_90", 9, 0, 132, 512, 32),
};

static const processor *processor_called(const char *name) {
  for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
    if (!strcmp(processors[i].name, name)) return &processors[i];
  return NULL;
}

static const processor *this_processor(void) {
  const processor *found = processor_called(dev.processor);
  return found ? found : processor_called(API_PROCESSOR);
}

// LDS is how many bytes of it a workgroup has at most.
#define LDS hip_lds()
static size_t hip_lds(void) { return API_LDS ? API_LDS : amd_lds(this_processor()->name); }

int hip_units(void) { return this_processor()->units; }

// hip_waves is how many waves of so many lanes, with so many registers, a SIMD unit has registers for.
int hip_waves(int lanes, int registers) {
  const processor *p = this_processor();
  int all = p->registers * p->wave / lanes; // as if each had as many lanes
  int grain = all > 1024 ? 24 : all == 1024 && p->minor != 1 ? 16 : all > 256 ? 8 : 4;
  return all / ((registers + grain - 1) / grain * grain);
}

// ready connects and knows the processor.
static int ready(int device) {
  dev_lock();
  int none = hip_device();
  dev_unlock();
  if (none) return hipErrorNoDevice;
  return device == 0 ? hipSuccess : hipErrorInvalidDevice;
}

enum {
  MAX_THREADS = 1024,
  CLOCK = 1700000,
  MEMORY_CLOCK = 1600000,
  BUS = 4096,
  L2 = 8 << 20,
  THREADS_PER_UNIT = 2048,
  REGISTERS = 65536,
  GRID = 0x7fffffff,
  ALIGNMENT = 256,
};

// image_sides are how long the sides of images may be, of memory, of one, of two and of three dimensions: 0
// of processors without instructions for images.
typedef struct {
  int linear, line, plane, volume;
} image_sides;

static image_sides sides(void) {
  int there = amd_generation(this_processor()->name) || API_PORTABLE;
  return there ? (image_sides){1 << 27, 16384, 16384, 8192} : (image_sides){0};
}

// A field is a number at an offset of a structure of properties.
typedef struct {
  unsigned short v5, v6; // where each version has it; 0 for nowhere, but the name
  unsigned char bytes;
  int64_t value;
} field;

// put_fields fills fields of a structure of properties of version 5 or 6.
static void put_fields(unsigned char *out, int version, const field *fields, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned at = version >= 6 ? fields[i].v6 : fields[i].v5;
    if (at) memcpy(out + at, &fields[i].value, fields[i].bytes);
  }
}

// number_of is the number that a processor's name is, of which the last two digits are hexadecimal.
static int number_of(const processor *p) {
  const char *last = p->name + strlen(p->name) - 1;
  return 100 * p->major + 10 * p->minor + (*last <= '9' ? *last - '0' : *last - 'a' + 10);
}

// image_properties are how long the sides of images may be, and how many layers they may have.
static void image_properties(unsigned char *out, int version) {
  enum { LAYERS = 2048 };
  image_sides most = sides();
  const field fields[] = {
      {664, 416, 4, most.linear}, // maxTexture1DLinear
      {668, 408, 4, most.line},   // maxTexture1D
      {672, 420, 4, most.plane},  // maxTexture2D
      {676, 424, 4, most.plane},
      {0, 448, 4, most.plane},    // maxTexture2DGather
      {0, 452, 4, most.plane},
      {680, 456, 4, most.volume}, // maxTexture3D
      {684, 460, 4, most.volume},
      {688, 464, 4, most.volume},
      {0, 480, 4, most.plane},    // maxTextureCubemap
      {0, 484, 4, most.line},     // maxTexture1DLayered
      {0, 488, 4, LAYERS},
      {0, 492, 4, most.plane},    // maxTexture2DLayered
      {0, 496, 4, most.plane},
      {0, 500, 4, LAYERS},
      {0, 504, 4, most.plane},    // maxTextureCubemapLayered
      {0, 508, 4, LAYERS},
      {0, 512, 4, most.line},     // maxSurface1D
      {0, 516, 4, most.plane},    // maxSurface2D
      {0, 520, 4, most.plane},
      {0, 524, 4, most.volume},   // maxSurface3D
      {0, 528, 4, most.volume},
      {0, 532, 4, most.volume},
      {0, 536, 4, most.line},     // maxSurface1DLayered
      {0, 540, 4, LAYERS},
      {0, 544, 4, most.plane},    // maxSurface2DLayered
      {0, 548, 4, most.plane},
      {0, 552, 4, LAYERS},
      {0, 556, 4, most.plane},    // maxSurfaceCubemap
      {0, 560, 4, most.plane},    // maxSurfaceCubemapLayered
      {0, 564, 4, LAYERS},
  };
  if (most.line) put_fields(out, version, fields, sizeof fields / sizeof *fields);
}

// properties fills a structure of properties of version 5 or 6, by offsets. The names are behind them;
// elements follow the first of their array.
static void properties(unsigned char *out, int version) {
  const processor *p = this_processor();
  const field fields[] = {
      {256, 288, 8, (int64_t)dev.memory}, // totalGlobalMem
      {264, 296, 8, (int64_t)LDS},        // sharedMemPerBlock
      {272, 304, 4, REGISTERS},           // regsPerBlock
      {276, 308, 4, p->wave},             // warpSize
      {280, 320, 4, MAX_THREADS},         // maxThreadsPerBlock
      {284, 324, 4, MAX_THREADS},         // maxThreadsDim
      {288, 328, 4, MAX_THREADS},
      {292, 332, 4, MAX_THREADS},
      {296, 336, 4, GRID},                // maxGridSize
      {300, 340, 4, 65535},
      {304, 344, 4, 65535},
      {308, 348, 4, CLOCK},               // clockRate
      {312, 608, 4, MEMORY_CLOCK},        // memoryClockRate
      {316, 612, 4, BUS},                 // memoryBusWidth
      {320, 352, 8, 0x7fffffff},          // totalConstMem
      {328, 360, 4, p->major},            // major
      {332, 364, 4, p->minor},            // minor
      {336, 388, 4, p->units},            // multiProcessorCount
      {340, 616, 4, L2},                  // l2CacheSize
      {344, 624, 4, THREADS_PER_UNIT},    // maxThreadsPerMultiProcessor
      {352, 1424, 4, 100000},             // clockInstructionRate
      {356, 1428, 4, 0x3ffff},            // arch
      {360, 576, 4, 1},                   // concurrentKernels
      {368, 584, 4, 1},                   // pciBusID
      {376, 1416, 8, (int64_t)LDS},       // maxSharedMemoryPerMultiProcessor
      {388, 400, 4, 1},                   // canMapHostMemory
      {392, 0, 4, number_of(p)},          // gcnArch
      {656, 688, 4, 1},                   // cooperativeLaunch
      {712, 312, 8, 0x7fffffff},          // memPitch
      {720, 368, 8, ALIGNMENT},           // textureAlignment
      {728, 376, 8, ALIGNMENT},           // texturePitchAlignment
      {772, 652, 4, 1},                   // managedMemory
      {780, 676, 4, 1},                   // concurrentManagedAccess
      {0, 600, 4, 1},                     // asyncEngineCount
      {0, 604, 4, 1},                     // unifiedAddressing
      {0, 628, 4, 1},                     // streamPrioritiesSupported
      {0, 640, 8, (int64_t)LDS},          // sharedMemPerMultiprocessor
      {0, 648, 4, REGISTERS},             // regsPerMultiprocessor
      {0, 668, 4, 2},                     // singleToDoublePrecisionPerfRatio
      {0, 684, 4, 1},                     // canUseHostPointerForRegisteredMem
      {0, 696, 8, (int64_t)LDS},          // sharedMemPerBlockOptin
      {0, 712, 4, 32},                    // maxBlocksPerMultiProcessor
      {0, 728, 4, 1},                     // hostRegisterSupported
      {0, 744, 4, 1},                     // memoryPoolsSupported
  };
  memset(out, 0, version >= 6 ? 1472 : 792);
  strcpy((char *)out, p->product);
  put_fields(out, version, fields, sizeof fields / sizeof *fields);
  image_properties(out, version);
  snprintf((char *)out + (version >= 6 ? 1160 : 396), 256, "%s%s", p->name,
           p->major == 9 ? ":sramecc+:xnack-" : "");
  if (version >= 6) memcpy(out + 256, "simtgdb-00000000", 16);
}

int hipGetDeviceProperties(void *out, int device) {
  int error = ready(device);
  if (!error && !out) error = hipErrorInvalidValue;
  if (!error) properties(out, 5);
  return hip_done(error);
}

int hipGetDevicePropertiesR0600(void *out, int device) {
  int error = ready(device);
  if (!error && !out) error = hipErrorInvalidValue;
  if (!error) properties(out, 6);
  return hip_done(error);
}

// A device_attribute is a number by which an API asks for a property of the device, with its value.
typedef struct {
  int attribute, value;
} device_attribute;

// valued is the value of an attribute; those that a table lacks are 0.
static int valued(const device_attribute *table, size_t n, int attribute) {
  for (size_t i = 0; i < n; i++)
    if (table[i].attribute == attribute) return table[i].value;
  return 0;
}

// hipDeviceGetAttribute knows the hipDeviceAttribute_t's that are not 0, each behind its number.
int hipDeviceGetAttribute(int *out, int attribute, int device) {
  int error = ready(device);
  if (error || !out) return hip_done(error ? error : hipErrorInvalidValue);
  const processor *p = this_processor();
  image_sides images = sides();
  const device_attribute table[] = {
      {32, images.line},        // MaxSurface1D
      {34, images.plane},       // MaxSurface2D
      {36, images.volume},      // MaxSurface3D
      {39, images.line},        // MaxTexture1DWidth
      {41, images.linear},      // MaxTexture1DLinear
      {43, images.plane},       // MaxTexture2DWidth
      {44, images.plane},       // MaxTexture2DHeight
      {49, images.volume},      // MaxTexture3DWidth
      {50, images.volume},      // MaxTexture3DHeight
      {51, images.volume},      // MaxTexture3DDepth
      {10014, images.line > 0}, // ImageSupport
      {2, 1},                   // AsyncEngineCount
      {3, 1},                   // CanMapHostMemory
      {4, 1},                   // CanUseHostPointerForRegisteredMem
      {5, CLOCK},               // ClockRate
      {8, 1},                   // ConcurrentKernels
      {9, 1},                   // ConcurrentManagedAccess
      {10, 1},                  // CooperativeLaunch
      {19, L2},                 // L2CacheSize
      {23, p->major},           // ComputeCapabilityMajor
      {24, 1},                  // ManagedMemory
      {25, 32},                 // MaxBlocksPerMultiProcessor
      {26, MAX_THREADS},        // MaxBlockDimX
      {27, MAX_THREADS},        // MaxBlockDimY
      {28, MAX_THREADS},        // MaxBlockDimZ
      {29, GRID},               // MaxGridDimX
      {30, 65535},              // MaxGridDimY
      {31, 65535},              // MaxGridDimZ
      {55, MAX_THREADS},        // MaxThreadsDim
      {56, MAX_THREADS},        // MaxThreadsPerBlock
      {57, THREADS_PER_UNIT},   // MaxThreadsPerMultiProcessor
      {58, 0x7fffffff},         // MaxPitch
      {59, BUS},                // MemoryBusWidth
      {60, MEMORY_CLOCK},       // MemoryClockRate
      {61, p->minor},           // ComputeCapabilityMinor
      {63, p->units},           // MultiprocessorCount
      {67, 1},                  // PciBusId
      {71, REGISTERS},          // MaxRegistersPerBlock
      {72, REGISTERS},          // MaxRegistersPerMultiprocessor
      {74, (int)LDS},           // MaxSharedMemoryPerBlock
      {75, (int)LDS},           // SharedMemPerBlockOptin
      {76, (int)LDS},           // SharedMemPerMultiprocessor
      {77, 2},                  // SingleToDoublePrecisionPerfRatio
      {78, 1},                  // StreamPrioritiesSupported
      {81, ALIGNMENT},          // TextureAlignment
      {82, ALIGNMENT},          // TexturePitchAlignment
      {83, 0x7fffffff},         // TotalConstantMemory
      {84, 0x7fffffff},         // TotalGlobalMem
      {85, 1},                  // UnifiedAddressing
      {87, p->wave},            // WarpSize
      {88, 1},                  // MemoryPoolsSupported
      {89, 1},                  // VirtualMemoryManagementSupported
      {90, 1},                  // HostRegisterSupported
      {10000, 100000},          // ClockInstructionRate
      {10002, (int)LDS},        // MaxSharedMemoryPerMultiprocessor
      {10013, 1},               // CanUseStreamWaitValue
      {10015, p->units},        // PhysicalMultiProcessorCount
      {10017, 100000},          // WallClockRate
  };
  *out = valued(table, sizeof table / sizeof *table, attribute);
  return hipSuccess;
}

int hipGetDeviceCount(int *count) {
  dev_lock();
  int none = hip_connect();
  dev_unlock();
  if (count) *count = none ? 0 : 1;
  return hip_done(none ? hipErrorNoDevice : count ? hipSuccess : hipErrorInvalidValue);
}

int hipInit(unsigned flags) {
  (void)flags;
  return hip_done(ready(0));
}

int hipSetDevice(int device) { return hip_done(ready(device)); }

int hipGetDevice(int *device) {
  if (device) *device = 0;
  return hip_done(ready(0));
}

int hipDeviceGet(int *device, int ordinal) {
  if (device) *device = ordinal;
  return hip_done(ready(ordinal));
}

int hipChooseDevice(int *device, const void *wanted) {
  (void)wanted;
  if (device) *device = 0;
  return hip_done(ready(0));
}

int hipChooseDeviceR0600(int *device, const void *wanted) { return hipChooseDevice(device, wanted); }

int hipDeviceGetName(char *name, int size, int device) {
  int error = ready(device);
  if (!error && name && size > 0) snprintf(name, (size_t)size, "%s", this_processor()->product);
  return hip_done(error);
}

int hipDeviceTotalMem(size_t *bytes, int device) {
  int error = ready(device);
  if (!error && bytes) *bytes = dev.memory;
  return hip_done(error);
}

int hipDeviceComputeCapability(int *major, int *minor, int device) {
  int error = ready(device);
  if (major) *major = this_processor()->major;
  if (minor) *minor = this_processor()->minor;
  return hip_done(error);
}

int hipDeviceGetPCIBusId(char *id, int size, int device) {
  int error = ready(device);
  if (!error && id && size > 0) snprintf(id, (size_t)size, "0000:01:00.0");
  return hip_done(error);
}

int hipDeviceGetByPCIBusId(int *device, const char *id) {
  (void)id;
  return hipGetDevice(device);
}

int hipDeviceGetUuid(void *uuid, int device) {
  int error = ready(device);
  if (!error && uuid) memcpy(uuid, "simtgdb-00000000", 16);
  return hip_done(error);
}

int hipDriverGetVersion(int *version) {
  if (version) *version = hip_version() * 10000000;
  return hip_done(version ? hipSuccess : hipErrorInvalidValue);
}

int hipRuntimeGetVersion(int *version) { return hipDriverGetVersion(version); }

int hipDeviceCanAccessPeer(int *can, int device, int peer) {
  (void)device, (void)peer;
  if (can) *can = 0;
  return hipSuccess;
}

int hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  (void)peer, (void)flags;
  return hip_done(hipErrorPeerAccessUnsupported);
}

// Limits that programs set and read. Of the heap of kernels' malloc the service knows; the others say
// nothing.
enum { STACK_LIMIT, PRINTF_LIMIT, HEAP_LIMIT, LIMITS = 7 };
static size_t limits[LIMITS] = {[STACK_LIMIT] = 1 << 10, [PRINTF_LIMIT] = 1 << 20, [HEAP_LIMIT] = 8 << 20};

int hipDeviceGetLimit(size_t *value, int limit) {
  if (!value) return hip_done(hipErrorInvalidValue);
  if (limit < 0 || limit >= LIMITS) return hip_done(hipErrorUnsupportedLimit);
  *value = limits[limit];
  return hipSuccess;
}

int hipDeviceSetLimit(int limit, size_t value) {
  if (limit < 0 || limit >= LIMITS) return hip_done(hipErrorUnsupportedLimit);
  int error = hipSuccess;
  if (limit == HEAP_LIMIT) {
    dev_lock();
    error = hip_connect() ? hipErrorNoDevice : hipSuccess;
    if (!error) {
      dev_begin();
      put_u64(value);
      error = hip_error(dev_request(OP_LIMIT));
    }
    dev_unlock();
  }
  if (!error) limits[limit] = value;
  return hip_done(error);
}

// Settings that make no difference.

#define SETTING(name, ...)                                                                               \
  int name(__VA_ARGS__) { return hipSuccess; }
SETTING(hipDeviceSetCacheConfig, int a __attribute__((unused)))
SETTING(hipDeviceSetSharedMemConfig, int a __attribute__((unused)))
SETTING(hipFuncSetCacheConfig, const void *f __attribute__((unused)), int a __attribute__((unused)))
SETTING(hipFuncSetSharedMemConfig, const void *f __attribute__((unused)), int a __attribute__((unused)))
SETTING(hipSetDeviceFlags, unsigned a __attribute__((unused)))
SETTING(hipSetValidDevices, int *d __attribute__((unused)), int n __attribute__((unused)))
SETTING(hipProfilerStart, void)
SETTING(hipProfilerStop, void)
SETTING(hipDevicePrimaryCtxRelease, int d __attribute__((unused)))
SETTING(hipDevicePrimaryCtxSetFlags, int d __attribute__((unused)), unsigned f __attribute__((unused)))
SETTING(hipCtxDestroy, void *c __attribute__((unused)))
SETTING(hipCtxPushCurrent, void *c __attribute__((unused)))
SETTING(hipCtxSetCurrent, void *c __attribute__((unused)))
SETTING(hipCtxSetCacheConfig, int c __attribute__((unused)))
SETTING(hipCtxSetSharedMemConfig, int c __attribute__((unused)))

static int zero(int *out) {
  if (out) *out = 0;
  return hip_done(out ? hipSuccess : hipErrorInvalidValue);
}

int hipDeviceGetCacheConfig(int *out) { return zero(out); }
int hipDeviceGetSharedMemConfig(int *out) { return zero(out); }
int hipGetDeviceFlags(int *out) { return zero(out); }
int hipCtxGetCacheConfig(int *out) { return zero(out); }
int hipCtxGetSharedMemConfig(int *out) { return zero(out); }
int hipCtxGetFlags(int *out) { return zero(out); }

// There is one context.
static char context;

static int the_context(void **out) {
  if (out) *out = &context;
  return hip_done(ready(0));
}

int hipCtxCreate(void **out, unsigned flags, int device) {
  (void)flags, (void)device;
  return the_context(out);
}

int hipCtxGetCurrent(void **out) { return the_context(out); }
int hipCtxPopCurrent(void **out) { return the_context(out); }

int hipDevicePrimaryCtxRetain(void **out, int device) {
  (void)device;
  return the_context(out);
}

int hipDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  if (flags) *flags = 0;
  if (active) *active = 1;
  return hip_done(ready(device));
}

int hipCtxGetDevice(int *device) { return hipGetDevice(device); }

int hipCtxGetApiVersion(void *c, int *version) {
  (void)c;
  if (version) *version = 4;
  return hipSuccess;
}

const char *hipApiName(uint32_t id) {
  (void)id;
  return "";
}

const char *hipKernelNameRef(hipFunction_t f) { return f ? f->name : ""; }
