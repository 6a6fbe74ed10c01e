// Command buffers: what is recorded, with all that it needs when it is executed.
#pragma once

#include "vk_object.h"

enum vk_kind {
  CMD_DISPATCH,
  CMD_COPY,
  CMD_FILL,
  CMD_UPDATE,
  CMD_EXECUTE,
  CMD_TIMESTAMP,
  CMD_RESET_QUERIES,
  CMD_COPY_QUERIES,
  CMD_EVENT,
  CMD_WAIT_EVENT,
  CMD_BARRIER,
};

// A bound set is one that the program has, or a copy of what was pushed.
struct vk_bound {
  struct vk_set *set;
  uint32_t dynamic; // its first dynamic offset
};

struct vk_dispatch {
  struct vk_pipeline *pipeline;
  uint32_t groups[3], first[3];
  uint64_t indirect; // the address of groups, or 0
  unsigned char push[VK_PUSH];
  struct vk_bound sets[VK_SETS];
  uint32_t offset_count, offsets[]; // dynamic ones
};

struct vk_command {
  enum vk_kind kind;
  uint64_t to, from, size, stride;
  uint32_t word, first, count, flags;
  void *object;
  struct vk_command *next;
};

struct VkCommandBuffer_T {
  uintptr_t magic;
  struct vk_command_pool *pool;
  VkCommandBuffer all; // of the pool
  struct vk_command *commands, **last;
  struct vk_set *pushed; // copies of what was pushed, freed with the commands
  // What is bound while commands are recorded.
  struct vk_pipeline *pipeline;
  struct vk_bound sets[VK_SETS];
  uint32_t offsets[VK_SETS * VK_DYNAMIC];
  unsigned char push[VK_PUSH];
};

struct vk_command_pool {
  VkCommandBuffer buffers;
};
