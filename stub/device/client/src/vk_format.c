// Formats: how much memory texels take, and which planes images of a format have.
#include "vk_object.h"

// vk_side is how many texels wide and high a piece of memory is: 1, or 4 of compressed formats.
static uint32_t vk_side(VkFormat f) {
  enum { BC1_RGB_UNORM = 131, EAC_R11G11_SNORM = 156 };
  return f >= BC1_RGB_UNORM && f <= EAC_R11G11_SNORM ? 4 : 1;
}

// vk_blocks is how many pieces so many texels in a row or a column have.
static uint32_t vk_blocks(VkFormat f, uint32_t texels) { return (texels + vk_side(f) - 1) / vk_side(f); }

// vk_texel is how many bytes a texel, or a block, of a format has, of several planes one of the first, 0 if
// there is no such format (VkFormat).
static uint32_t vk_texel(VkFormat f) {
  static const struct {
    int first, last, size;
  } sizes[] = {{1, 1, 1},       {2, 8, 2},       {9, 15, 1},      {16, 22, 2},     {23, 36, 3},
               {37, 69, 4},     {70, 76, 2},     {77, 83, 4},     {84, 90, 6},     {91, 97, 8},
               {98, 100, 4},    {101, 103, 8},   {104, 106, 12},  {107, 109, 16},  {110, 112, 8},
               {113, 115, 16},  {116, 118, 24},  {119, 121, 32},  {122, 123, 4},   {124, 124, 2},
               {125, 126, 4},   {127, 127, 1},   {128, 128, 2},   {129, 130, 4},   {131, 134, 8},
               {135, 138, 16},  {139, 140, 8},   {141, 146, 16},  {147, 150, 8},   {151, 152, 16},
               {153, 154, 8},   {155, 156, 16},
               {1000156000, 1000156001, 2}, {1000156002, 1000156006, 1}, {1000156007, 1000156007, 2},
               {1000156008, 1000156008, 4}, {1000156009, 1000156009, 8}, {1000156010, 1000156011, 4},
               {1000156012, 1000156017, 2}, {1000156018, 1000156018, 4}, {1000156019, 1000156019, 8},
               {1000156020, 1000156021, 4}, {1000156022, 1000156026, 2}, {1000156027, 1000156028, 4},
               {1000156029, 1000156033, 2}, {1000330000, 1000330000, 1}, {1000330001, 1000330003, 2},
               {1000340000, 1000340001, 2}, {1000470000, 1000470000, 2}, {1000470001, 1000470001, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (f >= sizes[i].first && f <= sizes[i].last) return (uint32_t)sizes[i].size;
  return 0;
}

// A vk_plane is a part of an image: of depth and stencil one of the two, of luma and chroma what package
// simt/texel has behind each other.
struct vk_plane {
  VkFormat format;
  int narrow, low; // half as wide, half as high
};

// vk_planes gives the planes of a format, and how many there are; 0 of formats whose images are one piece.
static int vk_planes(VkFormat f, struct vk_plane to[3]) {
  static const struct {
    int first, separate, one, two;
  } rows[] = {{1000156000, 1000330000, 9, 16},
              {1000156010, 1000330001, 1000156007, 1000156008},
              {1000156020, 1000330002, 1000156017, 1000156018},
              {1000156027, 1000330003, 70, 77}};
  static const int depths[] = {124, 125, 126}; // D16, X8_D24, D32
  enum { D16_S8 = 128, D32_S8 = 130, S8 = 127, PACKED = 2, LAST = 6 };
  if (f >= D16_S8 && f <= D32_S8) {
    to[0] = (struct vk_plane){depths[f - D16_S8], 0, 0};
    to[1] = (struct vk_plane){S8, 0, 0};
    return 2;
  }
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int k = f - rows[i].first;
    int separate = f == rows[i].separate;
    if (!separate && (k < PACKED || k > LAST)) continue;
    int narrow = !separate && k < LAST, low = !separate && k < 4, three = !separate && k % 2 == 0;
    to[0] = (struct vk_plane){rows[i].one, 0, 0};
    to[1] = (struct vk_plane){three ? rows[i].one : rows[i].two, narrow, low};
    to[2] = to[1];
    return three ? 3 : 2;
  }
  return 0;
}

// vk_is_chroma reports whether a format is of luma and chroma, which samplers make colors of.
static int vk_is_chroma(VkFormat f) {
  static const int packed[] = {1000156000, 1000156010, 1000156020, 1000156027}; // and the next of each
  enum { D32_S8 = 130 };
  struct vk_plane planes[3];
  for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
    if (f == packed[i] || f == packed[i] + 1) return 1;
  return f > D32_S8 && vk_planes(f, planes) > 0;
}
