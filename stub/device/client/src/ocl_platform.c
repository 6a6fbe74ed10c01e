// The platform, its one device, and contexts.
#include "amd_image.h"
#include "ocl.h"

static struct platform ocl_platform = {{ocl_dispatch, PLATFORM, 1}};
static struct platform ocl_device = {{ocl_dispatch, DEVICE, 1}};

#define EXTENSIONS                                                                                          \
  "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "  \
  "cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "            \
  "cl_khr_byte_addressable_store cl_khr_fp16 cl_khr_fp64 cl_khr_3d_image_writes cl_khr_depth_images "       \
  "cl_khr_image2d_from_buffer cl_khr_subgroups cl_khr_il_program cl_khr_icd"

// A cl_name_version.
typedef struct {
  cl_uint version;
  char name[64];
} name_version;
#define VERSION(major, minor) ((cl_uint)(major) << 22 | (cl_uint)(minor) << 12)

// ocl_extensions lists the extensions with their versions.
static cl_int ocl_extensions(size_t room, void *to, size_t *needed) {
  name_version list[32];
  memset(list, 0, sizeof list);
  size_t n = 0;
  char *all = ocl_copy(EXTENSIONS), *rest = all, *word;
  while ((word = strsep(&rest, " "))) {
    list[n].version = VERSION(1, 0);
    snprintf(list[n++].name, sizeof list[0].name, "%s", word);
  }
  free(all);
  return ocl_info(list, n * sizeof list[0], room, to, needed);
}

static void ocl_forked(void);

// ocl_ready connects to the service; without one there is no platform.
static int ocl_ready(void) {
  dev_on_fork = ocl_forked;
  return dev_connect("OpenCL") == 0;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *list, cl_uint *count) {
  HELD;
  if ((!room && list) || (!list && !count)) return CL_INVALID_VALUE;
  if (!ocl_ready()) {
    if (count) *count = 0;
    return CL_PLATFORM_NOT_FOUND_KHR;
  }
  if (list) *list = &ocl_platform;
  if (count) *count = 1;
  return CL_SUCCESS;
}

cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *list, cl_uint *count) {
  return ocl_answer(clGetPlatformIDs(room, list, count));
}

cl_int clGetPlatformInfo(cl_platform_id p, cl_uint what, size_t room, void *to, size_t *needed) {
  if (p && !IS(p, PLATFORM)) return CL_INVALID_PLATFORM;
  switch (what) {
  case 0x0900: ANSWER_TEXT("FULL_PROFILE");
  case 0x0901: ANSWER_TEXT("OpenCL 3.0 simtgdb");
  case 0x0902: ANSWER_TEXT("simtgdb");
  case 0x0903: ANSWER_TEXT("simtgdb");
  case 0x0904: ANSWER_TEXT(EXTENSIONS);
  case 0x0905: ANSWER(cl_ulong, 1); // HOST_TIMER_RESOLUTION
  case 0x0906: ANSWER(cl_uint, VERSION(3, 0));
  case 0x0907: return ocl_extensions(room, to, needed);
  case 0x0920: ANSWER_TEXT("SIMTGDB"); // ICD_SUFFIX
  }
  return CL_INVALID_VALUE;
}

enum { TYPE_DEFAULT = 1, TYPE_CPU = 2, TYPE_GPU = 4, TYPE_ALL = -1 };

cl_int clGetDeviceIDs(cl_platform_id p, cl_bitfield type, cl_uint room, cl_device_id *list, cl_uint *count) {
  HELD;
  if (p && !IS(p, PLATFORM)) return CL_INVALID_PLATFORM;
  if ((!room && list) || (!list && !count)) return CL_INVALID_VALUE;
  if (!type) return CL_INVALID_DEVICE_TYPE;
  if (!ocl_ready() || !(type & (TYPE_DEFAULT | TYPE_GPU))) {
    if (count) *count = 0;
    return CL_DEVICE_NOT_FOUND;
  }
  if (list) *list = &ocl_device;
  if (count) *count = 1;
  return CL_SUCCESS;
}

enum { GROUP_ITEMS = 256, ALIGN_BITS = 1024, CACHE_LINE = 64, UNITS = 104 };

// ocl_versions answers with a name and versions.
static cl_int ocl_versions(const char *name, const cl_uint *versions, size_t n, size_t room, void *to,
                           size_t *needed) {
  name_version list[8];
  memset(list, 0, sizeof list);
  for (size_t i = 0; i < n; i++) {
    list[i].version = versions[i];
    snprintf(list[i].name, sizeof list[i].name, "%s", name);
  }
  return ocl_info(list, n * sizeof list[0], room, to, needed);
}

// ocl_features answers with the features of OpenCL C 3.0 that are optional, which package openclc has
// compiled.
static cl_int ocl_features(size_t room, void *to, size_t *needed) {
  static const char *const names[] = {
      "3d_image_writes",   "atomic_order_acq_rel", "atomic_order_seq_cst",
      "atomic_scope_device", "atomic_scope_all_devices", "fp64",
      "generic_address_space", "images", "int64",
      "program_scope_global_variables", "read_write_images", "subgroups",
      "work_group_collective_functions"};
  enum { COUNT = sizeof names / sizeof names[0] };
  name_version list[COUNT];
  memset(list, 0, sizeof list);
  for (size_t i = 0; i < COUNT; i++) {
    list[i].version = VERSION(3, 0);
    snprintf(list[i].name, sizeof list[i].name, "__opencl_c_%s", names[i]);
  }
  return ocl_info(list, sizeof list, room, to, needed);
}

// Numbers of the device: each with its query, and the bytes of its value.
static const struct {
  cl_uint what;
  int bytes;
  uint64_t value;
} device_numbers[] = {
    {0x1000, 8, TYPE_GPU},
    {0x1001, 4, 0x1002}, // VENDOR_ID: AMD's
    {0x1002, 4, UNITS},
    {0x1003, 4, 3},
    {0x1004, 8, GROUP_ITEMS},
    {0x1006, 4, 16}, // PREFERRED_VECTOR_WIDTH_CHAR and so on
    {0x1007, 4, 8},
    {0x1008, 4, 4},
    {0x1009, 4, 2},
    {0x100A, 4, 4},
    {0x100B, 4, 2},
    {0x100C, 4, 1000}, // MAX_CLOCK_FREQUENCY
    {0x100D, 4, 64},
    {0x100E, 4, 128},
    {0x100F, 4, 64},
    {0x1011, 8, LARGEST_SIDE},
    {0x1012, 8, LARGEST_SIDE},
    {0x1013, 8, LARGEST_3D},
    {0x1014, 8, LARGEST_3D},
    {0x1015, 8, LARGEST_3D},
    {0x1017, 8, 4096}, // MAX_PARAMETER_SIZE
    {0x1018, 4, 16},
    {0x1019, 4, ALIGN_BITS},
    {0x101A, 4, 128},
    {0x101B, 8, 0xBF}, // SINGLE_FP_CONFIG: all but SOFT_FLOAT
    {0x101C, 4, 2},
    {0x101D, 4, CACHE_LINE},
    {0x101E, 8, 16 << 10},
    {0x1020, 8, 64 << 10}, // MAX_CONSTANT_BUFFER_SIZE
    {0x1021, 4, 64},
    {0x1022, 4, 1}, // LOCAL_MEM_TYPE: LOCAL
    {0x1024, 4, 0},
    {0x1025, 8, 1}, // PROFILING_TIMER_RESOLUTION
    {0x1026, 4, 1}, // ENDIAN_LITTLE
    {0x1027, 4, 1},
    {0x1028, 4, 1},
    {0x1029, 8, 1}, // EXECUTION_CAPABILITIES: kernels
    {0x102A, 8, CL_QUEUE_OUT_OF_ORDER | CL_QUEUE_PROFILING},
    {0x1032, 8, 0x3F}, // DOUBLE_FP_CONFIG
    {0x1033, 8, 0x3F}, // HALF_FP_CONFIG
    {0x1034, 4, 8},
    {0x1035, 4, 0}, // HOST_UNIFIED_MEMORY
    {0x1036, 4, 16},
    {0x1037, 4, 8},
    {0x1038, 4, 4},
    {0x1039, 4, 2},
    {0x103A, 4, 4},
    {0x103B, 4, 2},
    {0x103C, 4, 8},
    {0x103E, 4, 1}, // LINKER_AVAILABLE
    {0x1040, 8, LARGEST_IMAGE_BUFFER},
    {0x1041, 8, LARGEST_ARRAY},
    {0x1043, 4, 0}, // PARTITION_MAX_SUB_DEVICES
    {0x1045, 8, 0},
    {0x1047, 4, 1}, // REFERENCE_COUNT
    {0x1048, 4, 1}, // PREFERRED_INTEROP_USER_SYNC
    {0x1049, 8, 1 << 20}, // PRINTF_BUFFER_SIZE
    {0x104A, 4, 1},
    {0x104B, 4, 1},
    {0x104C, 4, 64},
    {0x104D, 8, 64 << 10}, // MAX_GLOBAL_VARIABLE_SIZE
    {0x104E, 8, 0},
    {0x104F, 4, 0},
    {0x1050, 4, 0},
    {0x1051, 4, 0},
    {0x1052, 4, 0},
    {0x1053, 8, 1}, // SVM_CAPABILITIES: coarse-grained buffers
    {0x1054, 8, 64 << 10}, // GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE
    {0x1055, 4, 0},
    {0x1056, 4, 0},
    {0x1057, 4, 0},
    {0x1058, 4, 0},
    {0x1059, 4, 0},
    {0x105A, 4, 0},
    {0x105C, 4, 16}, // MAX_NUM_SUB_GROUPS
    {0x105D, 4, 1}, // SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS
    {0x105E, 4, VERSION(3, 0)},
    {0x1063, 8, 0x77}, // ATOMIC_MEMORY_CAPABILITIES: all, but within a work-item
    {0x1064, 8, 0x7F}, // ATOMIC_FENCE_CAPABILITIES
    {0x1065, 4, 0}, // NON_UNIFORM_WORK_GROUP_SUPPORT
    {0x1067, 8, 64},
    {0x1068, 4, 1}, // WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT
    {0x1069, 4, 1}, // GENERIC_ADDRESS_SPACE_SUPPORT
    {0x1070, 8, 0}, // DEVICE_ENQUEUE_CAPABILITIES
    {0x1071, 4, 0}, // PIPE_SUPPORT
};

cl_int clGetDeviceInfo(cl_device_id d, cl_uint what, size_t room, void *to, size_t *needed) {
  if (!IS(d, DEVICE)) return CL_INVALID_DEVICE;
  if (what == 0x1023) { // LOCAL_MEM_SIZE
    cl_ulong bytes = amd_lds(dev.processor);
    return ocl_info(&bytes, sizeof bytes, room, to, needed);
  }
  for (size_t i = 0; i < sizeof device_numbers / sizeof device_numbers[0]; i++)
    if (device_numbers[i].what == what)
      return ocl_info(&device_numbers[i].value, device_numbers[i].bytes, room, to, needed);
  static const size_t sizes[3] = {GROUP_ITEMS, GROUP_ITEMS, GROUP_ITEMS};
  static const cl_uint versions[] = {VERSION(1, 0), VERSION(1, 1), VERSION(1, 2)};
  // Programs in OpenCL C 2.0 compile, too, but may use pipes and queues on the device, which are not there.
  static const cl_uint languages[] = {VERSION(1, 0), VERSION(1, 1), VERSION(1, 2), VERSION(3, 0)};
  char name[128];
  switch (what) {
  case 0x1016: ANSWER(cl_uint, strcmp(dev.processor, "xe-hpc") != 0); // IMAGE_SUPPORT
  case 0x1005: return ocl_info(sizes, sizeof sizes, room, to, needed);
  case 0x1010: ANSWER(cl_ulong, LARGEST_BUFFER); // MAX_MEM_ALLOC_SIZE
  case 0x101F: ANSWER(cl_ulong, dev.memory);
  case 0x102B:
    snprintf(name, sizeof name, "simtgdb %s", dev.processor[0] ? dev.processor : "gfx90a");
    ANSWER_TEXT(name);
  case 0x102C: ANSWER_TEXT("simtgdb");
  case 0x102D: ANSWER_TEXT("1.0");
  case 0x102E: ANSWER_TEXT("FULL_PROFILE");
  case 0x102F: ANSWER_TEXT("OpenCL 3.0 simtgdb");
  case 0x1030: ANSWER_TEXT(EXTENSIONS);
  case 0x1031: ANSWER(cl_platform_id, &ocl_platform);
  case 0x103D: ANSWER_TEXT("OpenCL C 1.2 simtgdb");
  case 0x103F: ANSWER_TEXT(""); // BUILT_IN_KERNELS
  case 0x1042: ANSWER(cl_device_id, NULL); // PARENT_DEVICE
  case 0x1044: case 0x1046: ANSWER(cl_properties, 0); // PARTITION_PROPERTIES, PARTITION_TYPE
  case 0x105B: ANSWER_TEXT("SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2");
  case 0x1060: return ocl_extensions(room, to, needed);
  case 0x1061: return ocl_versions("SPIR-V", versions, 3, room, to, needed);
  case 0x1062: return ocl_info(NULL, 0, room, to, needed);
  case 0x1066: return ocl_versions("OpenCL C", languages, 4, room, to, needed);
  case 0x106F: return ocl_features(room, to, needed);
  case 0x1072: ANSWER_TEXT("");
  }
  return CL_INVALID_VALUE;
}

cl_int clCreateSubDevices(cl_device_id d, const cl_properties *p, cl_uint n, cl_device_id *list,
                          cl_uint *count) {
  return ocl_answer(IS(d, DEVICE) ? CL_DEVICE_PARTITION_FAILED : CL_INVALID_DEVICE);
}
cl_int clRetainDevice(cl_device_id d) { return ocl_answer(IS(d, DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE); }
cl_int clReleaseDevice(cl_device_id d) { return ocl_answer(IS(d, DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE); }

cl_int clGetDeviceAndHostTimer(cl_device_id d, cl_ulong *device, cl_ulong *host) {
  if (!IS(d, DEVICE)) return ocl_answer(CL_INVALID_DEVICE);
  if (!device || !host) return ocl_answer(CL_INVALID_VALUE);
  *device = *host = ocl_now();
  return CL_SUCCESS;
}
cl_int clGetHostTimer(cl_device_id d, cl_ulong *host) {
  return ocl_answer(clGetDeviceAndHostTimer(d, host, host));
}

cl_context clCreateContext(const cl_properties *properties, cl_uint n, const cl_device_id *devices,
                           void *notify, void *data, cl_int *error) {
  HELD;
  if (!n || !devices || (!notify && data)) return ocl_fail(error, CL_INVALID_VALUE);
  for (cl_uint i = 0; i < n; i++)
    if (!IS(devices[i], DEVICE)) return ocl_fail(error, CL_INVALID_DEVICE);
  size_t count = 0;
  for (const cl_properties *p = properties; p && *p; p += 2) {
    enum { CONTEXT_PLATFORM = 0x1084, INTEROP_USER_SYNC };
    if (*p != CONTEXT_PLATFORM && *p != INTEROP_USER_SYNC) return ocl_fail(error, CL_INVALID_PROPERTY);
    if (*p == INTEROP_USER_SYNC && p[1] != 0 && p[1] != 1) return ocl_fail(error, CL_INVALID_PROPERTY);
    if (*p == CONTEXT_PLATFORM && !IS((void *)p[1], PLATFORM)) return ocl_fail(error, CL_INVALID_PLATFORM);
    for (const cl_properties *q = properties; q < p; q += 2)
      if (*q == *p) return ocl_fail(error, CL_INVALID_PROPERTY); // twice
    count += 2;
  }
  if (!ocl_ready()) return ocl_fail(error, CL_DEVICE_NOT_FOUND);
  cl_context c = ocl_new(CONTEXT, sizeof *c);
  if (properties) {
    c->property_count = count + 1;
    c->properties = calloc(count + 1, sizeof *properties);
    memcpy(c->properties, properties, count * sizeof *properties);
  }
  if (error) *error = CL_SUCCESS;
  return c;
}

cl_context clCreateContextFromType(const cl_properties *properties, cl_bitfield type, void *notify,
                                   void *data, cl_int *error) {
  cl_device_id d;
  cl_int e = clGetDeviceIDs(NULL, type, 1, &d, NULL);
  if (e) return ocl_fail(error, e);
  return clCreateContext(properties, 1, &d, notify, data, error);
}

cl_int clRetainContext(cl_context c) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_answer(CL_INVALID_CONTEXT);
  ocl_retained(c);
  return CL_SUCCESS;
}

// ocl_release_context lets go of a context; the lock is held.
static void ocl_release_context(cl_context c) {
  if (--c->o.refs) return;
  ocl_call_back(&c->on_release, c);
  free(c->properties);
  ocl_free(c);
}

cl_int clReleaseContext(cl_context c) {
  HELD;
  if (!IS(c, CONTEXT)) return ocl_answer(CL_INVALID_CONTEXT);
  if (ocl_released(c)) return ocl_answer(CL_INVALID_CONTEXT);
  ocl_release_context(c);
  return CL_SUCCESS;
}

cl_int clSetContextDestructorCallback(cl_context c, void *call, void *data) {
  HELD;
  return ocl_answer(IS(c, CONTEXT) ? ocl_register(&c->on_release, call, data) : CL_INVALID_CONTEXT);
}

cl_int clGetContextInfo(cl_context c, cl_uint what, size_t room, void *to, size_t *needed) {
  if (!IS(c, CONTEXT)) return CL_INVALID_CONTEXT;
  switch (what) {
  case 0x1080: ANSWER(cl_uint, c->o.refs);
  case 0x1081: ANSWER(cl_device_id, &ocl_device);
  case 0x1082: return ocl_info(c->properties, c->property_count * sizeof *c->properties, room, to, needed);
  case 0x1083: ANSWER(cl_uint, 1);
  }
  return CL_INVALID_VALUE;
}
