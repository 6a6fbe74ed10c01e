// Runs a compute shader on the first Vulkan device, and prints the median seconds of its dispatches and of the processors'
// time that they took, and a hash (FNV-1a, 64 bits) of what the last buffer holds.
//   cc -O2 vulkan.c -lvulkan -o vulkan && ./vulkan RUNS FILE.spv GROUPS_X GROUPS_Y PUSH_WORDS... -- BYTES...
// Push constants are words; BYTES are the sizes of storage buffers of set 0, from binding 0 on, filled with floats.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

#define CHECK(x) do { VkResult r = (x); if (r != VK_SUCCESS) { fprintf(stderr, "%s: %d\n", #x, r); exit(1); } } while (0)

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

// The system counts what other threads have taken when they give up their processors.
static clock_t processor_time(void) {
    nanosleep(&(struct timespec){0, 1000000}, 0);
    return clock();
}

static int by_time(const void *a, const void *b) {
    double x = *(double *)a, y = *(double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc < 6) return fprintf(stderr, "usage: %s RUNS FILE.spv GROUPS_X GROUPS_Y PUSH_WORDS... -- BYTES...\n", argv[0]), 2;
    int runs = atoi(argv[1]);
    argv++, argc--;
    FILE *f = fopen(argv[1], "rb");
    static unsigned code[1 << 18], push[32];
    size_t size = fread(code, 1, sizeof code, f), pushes = 0, sizes[8], n = 0;
    int i = 4;
    for (; i < argc && strcmp(argv[i], "--"); i++) push[pushes++] = strtoul(argv[i], 0, 0);
    for (i++; i < argc; i++) sizes[n++] = strtoul(argv[i], 0, 0);

    VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo ici = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
    VkInstance inst;
    CHECK(vkCreateInstance(&ici, 0, &inst));
    VkPhysicalDevice phys;
    uint32_t one = 1;
    vkEnumeratePhysicalDevices(inst, &one, &phys);
    VkPhysicalDeviceProperties props;
    vkGetPhysicalDeviceProperties(phys, &props);
    float prio = 1;
    VkDeviceQueueCreateInfo qci = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &prio};
    VkDeviceCreateInfo dci = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &qci};
    VkDevice dev;
    CHECK(vkCreateDevice(phys, &dci, 0, &dev));
    VkQueue queue;
    vkGetDeviceQueue(dev, 0, 0, &queue);

    VkDescriptorSetLayoutBinding binds[8];
    for (size_t k = 0; k < n; k++)
        binds[k] = (VkDescriptorSetLayoutBinding){k, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0};
    VkDescriptorSetLayoutCreateInfo lci = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = n, .pBindings = binds};
    VkDescriptorSetLayout setLayout;
    CHECK(vkCreateDescriptorSetLayout(dev, &lci, 0, &setLayout));
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 * pushes};
    VkPipelineLayoutCreateInfo plci = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &setLayout,
        .pushConstantRangeCount = pushes > 0, .pPushConstantRanges = &range};
    VkPipelineLayout layout;
    CHECK(vkCreatePipelineLayout(dev, &plci, 0, &layout));
    VkShaderModuleCreateInfo mci = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    VkShaderModule module;
    CHECK(vkCreateShaderModule(dev, &mci, 0, &module));
    VkComputePipelineCreateInfo cpi = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout,
        .stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main"}};
    VkPipeline pipe;
    CHECK(vkCreateComputePipelines(dev, 0, 1, &cpi, 0, &pipe));

    VkDescriptorPoolSize ps = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8};
    VkDescriptorPoolCreateInfo pci = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &ps};
    VkDescriptorPool pool;
    CHECK(vkCreateDescriptorPool(dev, &pci, 0, &pool));
    VkDescriptorSetAllocateInfo sai = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &setLayout};
    VkDescriptorSet set;
    CHECK(vkAllocateDescriptorSets(dev, &sai, &set));
    VkPhysicalDeviceMemoryProperties mp;
    vkGetPhysicalDeviceMemoryProperties(phys, &mp);
    unsigned char *last = 0;
    for (size_t k = 0; k < n; k++) {
        VkBufferCreateInfo bci = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = sizes[k], .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
        VkBuffer buf;
        CHECK(vkCreateBuffer(dev, &bci, 0, &buf));
        VkMemoryAllocateInfo mai = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = sizes[k] + 4096, .memoryTypeIndex = 0};
        VkDeviceMemory mem;
        CHECK(vkAllocateMemory(dev, &mai, 0, &mem));
        CHECK(vkBindBufferMemory(dev, buf, mem, 0));
        float *p = 0;
        CHECK(vkMapMemory(dev, mem, 0, VK_WHOLE_SIZE, 0, (void **)&p));
        for (size_t j = 0; j < sizes[k] / 4; j++) p[j] = 1.5f + (float)(j % 61) / 8;
        last = (unsigned char *)p;
        VkDescriptorBufferInfo info = {buf, 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet w = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .dstBinding = k, .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &info};
        vkUpdateDescriptorSets(dev, 1, &w, 0, 0);
    }
    VkCommandPoolCreateInfo cpci = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool cpool;
    CHECK(vkCreateCommandPool(dev, &cpci, 0, &cpool));
    VkCommandBufferAllocateInfo cai = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = cpool, .commandBufferCount = 1};
    VkCommandBuffer cb;
    CHECK(vkAllocateCommandBuffers(dev, &cai, &cb));
    VkCommandBufferBeginInfo bi = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vkBeginCommandBuffer(cb, &bi);
    vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipe);
    vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, 0);
    if (pushes) vkCmdPushConstants(cb, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 * pushes, push);
    vkCmdDispatch(cb, atoi(argv[2]), atoi(argv[3]), 1);
    vkEndCommandBuffer(cb);
    double *times = malloc(runs * sizeof *times), *cpu = malloc(runs * sizeof *cpu);
    for (int k = -1; k < runs; k++) { // the first finds its memory
        VkSubmitInfo si = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cb};
        clock_t spent = processor_time();
        double t = now();
        CHECK(vkQueueSubmit(queue, 1, &si, 0));
        CHECK(vkQueueWaitIdle(queue));
        if (k < 0) continue;
        times[k] = now() - t;
        cpu[k] = (double)(processor_time() - spent) / CLOCKS_PER_SEC;
    }
    qsort(times, runs, sizeof *times, by_time);
    qsort(cpu, runs, sizeof *cpu, by_time);
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t k = 0; n && k < sizes[n - 1]; k++) hash = (hash ^ last[k]) * 0x100000001b3;
    printf("%.9f %.9f %016llx %s\n", times[runs / 2], cpu[runs / 2], (unsigned long long)hash, props.deviceName);
    return 0;
}
