// The Vulkan driver as one unit of compilation: its files share the state of transport.h.
#include "vk_object.h"

#include <sched.h>
#include <signal.h>

#include "vk_format.c"
#include "vk_physical.c"
#include "vk_absent.c"
#include "vk_matrix.c"
#include "vk_instance.c"
#include "vk_memory.c"
#include "vk_image.c"
#include "vk_descriptor.c"
#include "vk_pipeline.c"
#include "vk_command.c"
#include "vk_image_copy.c"
#include "vk_image_clear.c"
#include "vk_sync.c"
#include "vk_queue.c"
#include "vk_device.c"
#include "vk_check.c"
#include "vk_check_command.c"
