// Cooperative matrices (VK_KHR_cooperative_matrix, VK_NV_cooperative_matrix2), which are newer than the
// registry that vk.h is made of. The machine takes matrices of any size; those that are listed are what
// programs ask for.
#include "vk_object.h"

// VkComponentTypeKHR, VkScopeKHR.
enum { MATRIX_HALF, MATRIX_FLOAT, MATRIX_SINT8 = 3, MATRIX_SINT32 = 5, MATRIX_UINT8 = 7, MATRIX_UINT32 = 9 };
enum { MATRIX_BFLOAT16 = 1000141000, MATRIX_E4M3 = 1000491002, MATRIX_E5M2 };
enum { MATRIX_PROPERTIES = 1000506001, FLEXIBLE_PROPERTIES = 1000593001, SCOPE_WORKGROUP = 2,
  SCOPE_SUBGROUP };

// vk_matrix is VkCooperativeMatrixPropertiesKHR.
struct vk_matrix {
  VkStructureType sType;
  void *pNext;
  uint32_t m, n, k;
  int a, b, c, result;
  VkBool32 saturating;
  int scope;
};

static const struct {
  int narrow, wide, k;
} vk_products[] = {
    {MATRIX_HALF, MATRIX_FLOAT, 16},
    {MATRIX_HALF, MATRIX_HALF, 16},
    {MATRIX_BFLOAT16, MATRIX_FLOAT, 16},
    {MATRIX_BFLOAT16, MATRIX_BFLOAT16, 16},
    {MATRIX_FLOAT, MATRIX_FLOAT, 16},
    {MATRIX_E4M3, MATRIX_FLOAT, 16},
    {MATRIX_E5M2, MATRIX_FLOAT, 16},
    {MATRIX_SINT8, MATRIX_SINT32, 32},
    {MATRIX_UINT8, MATRIX_UINT32, 32},
};

VkResult vk_matrix_properties(VkPhysicalDevice d, uint32_t *count, struct vk_matrix *to) {
  enum { N = 2 * sizeof vk_products / sizeof vk_products[0] };
  uint32_t room = *count;
  *count = !to || room > N ? N : room;
  for (uint32_t i = 0; to && i < *count; i++) {
    int narrow = vk_products[i / 2].narrow, wide = vk_products[i / 2].wide;
    void *next = to[i].pNext;
    int saturating = wide == MATRIX_SINT32 || wide == MATRIX_UINT32;
    to[i] = (struct vk_matrix){
        MATRIX_PROPERTIES, next, 16, i % 2 ? 8 : 16, vk_products[i / 2].k, narrow, narrow, wide, wide,
        saturating, SCOPE_SUBGROUP};
  }
  return to && room < N ? VK_INCOMPLETE : VK_SUCCESS;
}

// vk_flexible is VkCooperativeMatrixFlexibleDimensionsPropertiesNV.
struct vk_flexible {
  VkStructureType sType;
  void *pNext;
  uint32_t m, n, k; // matrices have multiples of so many rows and columns
  int a, b, c, result;
  VkBool32 saturating;
  int scope;
  uint32_t invocations; // of the workgroup whose matrices they are; 0 for those of a subgroup
};

VkResult vk_flexible_properties(VkPhysicalDevice d, uint32_t *count, struct vk_flexible *to) {
  static const uint32_t groups[] = {0, 32, 64, 128, 256, 512, 1024};
  enum { GROUPS = sizeof groups / sizeof groups[0], N = GROUPS * sizeof vk_products / sizeof vk_products[0] };
  uint32_t room = *count;
  *count = !to || room > N ? N : room;
  for (uint32_t i = 0; to && i < *count; i++) {
    int narrow = vk_products[i / GROUPS].narrow, wide = vk_products[i / GROUPS].wide;
    void *next = to[i].pNext;
    uint32_t invocations = groups[i % GROUPS];
    to[i] = (struct vk_flexible){FLEXIBLE_PROPERTIES, next, 8, 8, 8, narrow, narrow, wide, wide, 0,
                                 invocations ? SCOPE_WORKGROUP : SCOPE_SUBGROUP, invocations};
  }
  return to && room < N ? VK_INCOMPLETE : VK_SUCCESS;
}

// Functions that are newer than the registry.
#define VK_NEWER_FUNCTIONS(X)                                                \
  X(vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR, vk_matrix_properties)   \
  X(vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV, vk_flexible_properties)
