// Written by vkheader out of Khronos's registry; its command has how.
#pragma once

#define VK_FUNCTIONS(X) \
  X(vkCreateInstance, vkCreateInstance) \
  X(vkDestroyInstance, vkDestroyInstance) \
  X(vkEnumeratePhysicalDevices, vkEnumeratePhysicalDevices) \
  X(vkGetDeviceProcAddr, vkGetDeviceProcAddr) \
  X(vkGetInstanceProcAddr, vkGetInstanceProcAddr) \
  X(vkGetPhysicalDeviceProperties, vkGetPhysicalDeviceProperties) \
  X(vkGetPhysicalDeviceQueueFamilyProperties, vkGetPhysicalDeviceQueueFamilyProperties) \
  X(vkGetPhysicalDeviceMemoryProperties, vkGetPhysicalDeviceMemoryProperties) \
  X(vkGetPhysicalDeviceFeatures, vkGetPhysicalDeviceFeatures) \
  X(vkGetPhysicalDeviceFormatProperties, vkGetPhysicalDeviceFormatProperties) \
  X(vkGetPhysicalDeviceImageFormatProperties, vkGetPhysicalDeviceImageFormatProperties) \
  X(vkCreateDevice, vkCreateDevice) \
  X(vkDestroyDevice, vkDestroyDevice) \
  X(vkEnumerateInstanceVersion, vkEnumerateInstanceVersion) \
  X(vkEnumerateInstanceLayerProperties, vkEnumerateInstanceLayerProperties) \
  X(vkEnumerateInstanceExtensionProperties, vkEnumerateInstanceExtensionProperties) \
  X(vkEnumerateDeviceLayerProperties, vkEnumerateDeviceLayerProperties) \
  X(vkEnumerateDeviceExtensionProperties, vkEnumerateDeviceExtensionProperties) \
  X(vkGetDeviceQueue, vkGetDeviceQueue) \
  X(vkQueueSubmit, vkQueueSubmit) \
  X(vkQueueWaitIdle, vkQueueWaitIdle) \
  X(vkDeviceWaitIdle, vkDeviceWaitIdle) \
  X(vkAllocateMemory, vkAllocateMemory) \
  X(vkFreeMemory, vkFreeMemory) \
  X(vkMapMemory, vkMapMemory) \
  X(vkUnmapMemory, vkUnmapMemory) \
  X(vkFlushMappedMemoryRanges, vkFlushMappedMemoryRanges) \
  X(vkInvalidateMappedMemoryRanges, vkInvalidateMappedMemoryRanges) \
  X(vkGetDeviceMemoryCommitment, vkGetDeviceMemoryCommitment) \
  X(vkGetBufferMemoryRequirements, vkGetBufferMemoryRequirements) \
  X(vkBindBufferMemory, vkBindBufferMemory) \
  X(vkGetImageMemoryRequirements, vkGetImageMemoryRequirements) \
  X(vkBindImageMemory, vkBindImageMemory) \
  X(vkGetPhysicalDeviceSparseImageFormatProperties, vkGetPhysicalDeviceSparseImageFormatProperties) \
  X(vkCreateFence, vkCreateFence) \
  X(vkDestroyFence, vkDestroyFence) \
  X(vkResetFences, vkResetFences) \
  X(vkGetFenceStatus, vkGetFenceStatus) \
  X(vkWaitForFences, vkWaitForFences) \
  X(vkCreateSemaphore, vkCreateSemaphore) \
  X(vkDestroySemaphore, vkDestroySemaphore) \
  X(vkCreateEvent, vkCreateEvent) \
  X(vkDestroyEvent, vkDestroyEvent) \
  X(vkGetEventStatus, vkGetEventStatus) \
  X(vkSetEvent, vkSetEvent) \
  X(vkResetEvent, vkResetEvent) \
  X(vkCreateQueryPool, vkCreateQueryPool) \
  X(vkDestroyQueryPool, vkDestroyQueryPool) \
  X(vkGetQueryPoolResults, vkGetQueryPoolResults) \
  X(vkResetQueryPool, vkResetQueryPool) \
  X(vkResetQueryPoolEXT, vkResetQueryPool) \
  X(vkCreateBuffer, vkCreateBuffer) \
  X(vkDestroyBuffer, vkDestroyBuffer) \
  X(vkCreateBufferView, vkCreateBufferView) \
  X(vkDestroyBufferView, vkDestroyBufferView) \
  X(vkCreateImage, vkCreateImage) \
  X(vkDestroyImage, vkDestroyImage) \
  X(vkGetImageSubresourceLayout, vkGetImageSubresourceLayout) \
  X(vkCreateImageView, vkCreateImageView) \
  X(vkDestroyImageView, vkDestroyImageView) \
  X(vkCreateShaderModule, vkCreateShaderModule) \
  X(vkDestroyShaderModule, vkDestroyShaderModule) \
  X(vkCreatePipelineCache, vkCreatePipelineCache) \
  X(vkDestroyPipelineCache, vkDestroyPipelineCache) \
  X(vkGetPipelineCacheData, vkGetPipelineCacheData) \
  X(vkMergePipelineCaches, vkMergePipelineCaches) \
  X(vkCreateGraphicsPipelines, vkCreateGraphicsPipelines) \
  X(vkCreateComputePipelines, vkCreateComputePipelines) \
  X(vkDestroyPipeline, vkDestroyPipeline) \
  X(vkCreatePipelineLayout, vkCreatePipelineLayout) \
  X(vkDestroyPipelineLayout, vkDestroyPipelineLayout) \
  X(vkCreateSampler, vkCreateSampler) \
  X(vkDestroySampler, vkDestroySampler) \
  X(vkCreateDescriptorSetLayout, vkCreateDescriptorSetLayout) \
  X(vkDestroyDescriptorSetLayout, vkDestroyDescriptorSetLayout) \
  X(vkCreateDescriptorPool, vkCreateDescriptorPool) \
  X(vkDestroyDescriptorPool, vkDestroyDescriptorPool) \
  X(vkResetDescriptorPool, vkResetDescriptorPool) \
  X(vkAllocateDescriptorSets, vkAllocateDescriptorSets) \
  X(vkFreeDescriptorSets, vkFreeDescriptorSets) \
  X(vkUpdateDescriptorSets, vkUpdateDescriptorSets) \
  X(vkCreateCommandPool, vkCreateCommandPool) \
  X(vkDestroyCommandPool, vkDestroyCommandPool) \
  X(vkResetCommandPool, vkResetCommandPool) \
  X(vkAllocateCommandBuffers, vkAllocateCommandBuffers) \
  X(vkFreeCommandBuffers, vkFreeCommandBuffers) \
  X(vkBeginCommandBuffer, vkBeginCommandBuffer) \
  X(vkEndCommandBuffer, vkEndCommandBuffer) \
  X(vkResetCommandBuffer, vkResetCommandBuffer) \
  X(vkCmdBindPipeline, vkCmdBindPipeline) \
  X(vkCmdBindDescriptorSets, vkCmdBindDescriptorSets) \
  X(vkCmdDispatch, vkCmdDispatch) \
  X(vkCmdDispatchIndirect, vkCmdDispatchIndirect) \
  X(vkCmdCopyBuffer, vkCmdCopyBuffer) \
  X(vkCmdCopyImage, vkCmdCopyImage) \
  X(vkCmdCopyBufferToImage, vkCmdCopyBufferToImage) \
  X(vkCmdCopyImageToBuffer, vkCmdCopyImageToBuffer) \
  X(vkCmdUpdateBuffer, vkCmdUpdateBuffer) \
  X(vkCmdFillBuffer, vkCmdFillBuffer) \
  X(vkCmdClearColorImage, vkCmdClearColorImage) \
  X(vkCmdClearDepthStencilImage, vkCmdClearDepthStencilImage) \
  X(vkCmdSetEvent, vkCmdSetEvent) \
  X(vkCmdResetEvent, vkCmdResetEvent) \
  X(vkCmdWaitEvents, vkCmdWaitEvents) \
  X(vkCmdPipelineBarrier, vkCmdPipelineBarrier) \
  X(vkCmdResetQueryPool, vkCmdResetQueryPool) \
  X(vkCmdWriteTimestamp, vkCmdWriteTimestamp) \
  X(vkCmdCopyQueryPoolResults, vkCmdCopyQueryPoolResults) \
  X(vkCmdPushConstants, vkCmdPushConstants) \
  X(vkCmdExecuteCommands, vkCmdExecuteCommands) \
  X(vkGetPhysicalDeviceFeatures2, vkGetPhysicalDeviceFeatures2) \
  X(vkGetPhysicalDeviceFeatures2KHR, vkGetPhysicalDeviceFeatures2) \
  X(vkGetPhysicalDeviceProperties2, vkGetPhysicalDeviceProperties2) \
  X(vkGetPhysicalDeviceProperties2KHR, vkGetPhysicalDeviceProperties2) \
  X(vkGetPhysicalDeviceFormatProperties2, vkGetPhysicalDeviceFormatProperties2) \
  X(vkGetPhysicalDeviceFormatProperties2KHR, vkGetPhysicalDeviceFormatProperties2) \
  X(vkGetPhysicalDeviceImageFormatProperties2, vkGetPhysicalDeviceImageFormatProperties2) \
  X(vkGetPhysicalDeviceImageFormatProperties2KHR, vkGetPhysicalDeviceImageFormatProperties2) \
  X(vkGetPhysicalDeviceQueueFamilyProperties2, vkGetPhysicalDeviceQueueFamilyProperties2) \
  X(vkGetPhysicalDeviceQueueFamilyProperties2KHR, vkGetPhysicalDeviceQueueFamilyProperties2) \
  X(vkGetPhysicalDeviceMemoryProperties2, vkGetPhysicalDeviceMemoryProperties2) \
  X(vkGetPhysicalDeviceMemoryProperties2KHR, vkGetPhysicalDeviceMemoryProperties2) \
  X(vkGetPhysicalDeviceSparseImageFormatProperties2, vkGetPhysicalDeviceSparseImageFormatProperties2) \
  X(vkGetPhysicalDeviceSparseImageFormatProperties2KHR, vkGetPhysicalDeviceSparseImageFormatProperties2) \
  X(vkCmdPushDescriptorSetKHR, vkCmdPushDescriptorSetKHR) \
  X(vkTrimCommandPool, vkTrimCommandPool) \
  X(vkTrimCommandPoolKHR, vkTrimCommandPool) \
  X(vkGetPhysicalDeviceExternalBufferProperties, vkGetPhysicalDeviceExternalBufferProperties) \
  X(vkGetPhysicalDeviceExternalBufferPropertiesKHR, vkGetPhysicalDeviceExternalBufferProperties) \
  X(vkGetPhysicalDeviceExternalSemaphoreProperties, vkGetPhysicalDeviceExternalSemaphoreProperties) \
  X(vkGetPhysicalDeviceExternalSemaphorePropertiesKHR, vkGetPhysicalDeviceExternalSemaphoreProperties) \
  X(vkGetPhysicalDeviceExternalFenceProperties, vkGetPhysicalDeviceExternalFenceProperties) \
  X(vkGetPhysicalDeviceExternalFencePropertiesKHR, vkGetPhysicalDeviceExternalFenceProperties) \
  X(vkEnumeratePhysicalDeviceGroups, vkEnumeratePhysicalDeviceGroups) \
  X(vkEnumeratePhysicalDeviceGroupsKHR, vkEnumeratePhysicalDeviceGroups) \
  X(vkGetDeviceGroupPeerMemoryFeatures, vkGetDeviceGroupPeerMemoryFeatures) \
  X(vkGetDeviceGroupPeerMemoryFeaturesKHR, vkGetDeviceGroupPeerMemoryFeatures) \
  X(vkBindBufferMemory2, vkBindBufferMemory2) \
  X(vkBindBufferMemory2KHR, vkBindBufferMemory2) \
  X(vkBindImageMemory2, vkBindImageMemory2) \
  X(vkBindImageMemory2KHR, vkBindImageMemory2) \
  X(vkCmdSetDeviceMask, vkCmdSetDeviceMask) \
  X(vkCmdSetDeviceMaskKHR, vkCmdSetDeviceMask) \
  X(vkCmdDispatchBase, vkCmdDispatchBase) \
  X(vkCmdDispatchBaseKHR, vkCmdDispatchBase) \
  X(vkCreateDescriptorUpdateTemplate, vkCreateDescriptorUpdateTemplate) \
  X(vkCreateDescriptorUpdateTemplateKHR, vkCreateDescriptorUpdateTemplate) \
  X(vkDestroyDescriptorUpdateTemplate, vkDestroyDescriptorUpdateTemplate) \
  X(vkDestroyDescriptorUpdateTemplateKHR, vkDestroyDescriptorUpdateTemplate) \
  X(vkUpdateDescriptorSetWithTemplate, vkUpdateDescriptorSetWithTemplate) \
  X(vkUpdateDescriptorSetWithTemplateKHR, vkUpdateDescriptorSetWithTemplate) \
  X(vkCmdPushDescriptorSetWithTemplateKHR, vkCmdPushDescriptorSetWithTemplateKHR) \
  X(vkGetBufferMemoryRequirements2, vkGetBufferMemoryRequirements2) \
  X(vkGetBufferMemoryRequirements2KHR, vkGetBufferMemoryRequirements2) \
  X(vkGetImageMemoryRequirements2, vkGetImageMemoryRequirements2) \
  X(vkGetImageMemoryRequirements2KHR, vkGetImageMemoryRequirements2) \
  X(vkGetDeviceBufferMemoryRequirements, vkGetDeviceBufferMemoryRequirements) \
  X(vkGetDeviceBufferMemoryRequirementsKHR, vkGetDeviceBufferMemoryRequirements) \
  X(vkGetDeviceImageMemoryRequirements, vkGetDeviceImageMemoryRequirements) \
  X(vkGetDeviceImageMemoryRequirementsKHR, vkGetDeviceImageMemoryRequirements) \
  X(vkCreateSamplerYcbcrConversion, vkCreateSamplerYcbcrConversion) \
  X(vkCreateSamplerYcbcrConversionKHR, vkCreateSamplerYcbcrConversion) \
  X(vkDestroySamplerYcbcrConversion, vkDestroySamplerYcbcrConversion) \
  X(vkDestroySamplerYcbcrConversionKHR, vkDestroySamplerYcbcrConversion) \
  X(vkGetDeviceQueue2, vkGetDeviceQueue2) \
  X(vkGetDescriptorSetLayoutSupport, vkGetDescriptorSetLayoutSupport) \
  X(vkGetDescriptorSetLayoutSupportKHR, vkGetDescriptorSetLayoutSupport) \
  X(vkSetDebugUtilsObjectNameEXT, vkSetDebugUtilsObjectNameEXT) \
  X(vkSetDebugUtilsObjectTagEXT, vkSetDebugUtilsObjectTagEXT) \
  X(vkQueueBeginDebugUtilsLabelEXT, vkQueueBeginDebugUtilsLabelEXT) \
  X(vkQueueEndDebugUtilsLabelEXT, vkQueueEndDebugUtilsLabelEXT) \
  X(vkQueueInsertDebugUtilsLabelEXT, vkQueueInsertDebugUtilsLabelEXT) \
  X(vkCmdBeginDebugUtilsLabelEXT, vkCmdBeginDebugUtilsLabelEXT) \
  X(vkCmdEndDebugUtilsLabelEXT, vkCmdEndDebugUtilsLabelEXT) \
  X(vkCmdInsertDebugUtilsLabelEXT, vkCmdInsertDebugUtilsLabelEXT) \
  X(vkGetMemoryHostPointerPropertiesEXT, vkGetMemoryHostPointerPropertiesEXT) \
  X(vkGetSemaphoreCounterValue, vkGetSemaphoreCounterValue) \
  X(vkGetSemaphoreCounterValueKHR, vkGetSemaphoreCounterValue) \
  X(vkWaitSemaphores, vkWaitSemaphores) \
  X(vkWaitSemaphoresKHR, vkWaitSemaphores) \
  X(vkSignalSemaphore, vkSignalSemaphore) \
  X(vkSignalSemaphoreKHR, vkSignalSemaphore) \
  X(vkGetBufferOpaqueCaptureAddress, vkGetBufferOpaqueCaptureAddress) \
  X(vkGetBufferOpaqueCaptureAddressKHR, vkGetBufferOpaqueCaptureAddress) \
  X(vkGetBufferDeviceAddress, vkGetBufferDeviceAddress) \
  X(vkGetBufferDeviceAddressKHR, vkGetBufferDeviceAddress) \
  X(vkGetBufferDeviceAddressEXT, vkGetBufferDeviceAddress) \
  X(vkGetDeviceMemoryOpaqueCaptureAddress, vkGetDeviceMemoryOpaqueCaptureAddress) \
  X(vkGetDeviceMemoryOpaqueCaptureAddressKHR, vkGetDeviceMemoryOpaqueCaptureAddress) \
  X(vkGetPipelineExecutablePropertiesKHR, vkGetPipelineExecutablePropertiesKHR) \
  X(vkGetPipelineExecutableStatisticsKHR, vkGetPipelineExecutableStatisticsKHR) \
  X(vkGetPipelineExecutableInternalRepresentationsKHR, vkGetPipelineExecutableInternalRepresentationsKHR) \
  X(vkGetPhysicalDeviceToolProperties, vkGetPhysicalDeviceToolProperties) \
  X(vkGetPhysicalDeviceToolPropertiesEXT, vkGetPhysicalDeviceToolProperties) \
  X(vkCreatePrivateDataSlot, vkCreatePrivateDataSlot) \
  X(vkCreatePrivateDataSlotEXT, vkCreatePrivateDataSlot) \
  X(vkDestroyPrivateDataSlot, vkDestroyPrivateDataSlot) \
  X(vkDestroyPrivateDataSlotEXT, vkDestroyPrivateDataSlot) \
  X(vkSetPrivateData, vkSetPrivateData) \
  X(vkSetPrivateDataEXT, vkSetPrivateData) \
  X(vkGetPrivateData, vkGetPrivateData) \
  X(vkGetPrivateDataEXT, vkGetPrivateData) \
  X(vkCmdCopyBuffer2, vkCmdCopyBuffer2) \
  X(vkCmdCopyBuffer2KHR, vkCmdCopyBuffer2) \
  X(vkCmdCopyImage2, vkCmdCopyImage2) \
  X(vkCmdCopyImage2KHR, vkCmdCopyImage2) \
  X(vkCmdCopyBufferToImage2, vkCmdCopyBufferToImage2) \
  X(vkCmdCopyBufferToImage2KHR, vkCmdCopyBufferToImage2) \
  X(vkCmdCopyImageToBuffer2, vkCmdCopyImageToBuffer2) \
  X(vkCmdCopyImageToBuffer2KHR, vkCmdCopyImageToBuffer2) \
  X(vkCmdSetEvent2, vkCmdSetEvent2) \
  X(vkCmdSetEvent2KHR, vkCmdSetEvent2) \
  X(vkCmdResetEvent2, vkCmdResetEvent2) \
  X(vkCmdResetEvent2KHR, vkCmdResetEvent2) \
  X(vkCmdWaitEvents2, vkCmdWaitEvents2) \
  X(vkCmdWaitEvents2KHR, vkCmdWaitEvents2) \
  X(vkCmdPipelineBarrier2, vkCmdPipelineBarrier2) \
  X(vkCmdPipelineBarrier2KHR, vkCmdPipelineBarrier2) \
  X(vkQueueSubmit2, vkQueueSubmit2) \
  X(vkQueueSubmit2KHR, vkQueueSubmit2) \
  X(vkCmdWriteTimestamp2, vkCmdWriteTimestamp2) \
  X(vkCmdWriteTimestamp2KHR, vkCmdWriteTimestamp2) \

#define VK_ABSENT_FUNCTIONS(X) \
  X(vkGetImageSparseMemoryRequirements, vkGetImageSparseMemoryRequirements) \
  X(vkQueueBindSparse, vkQueueBindSparse) \
  X(vkCreateFramebuffer, vkCreateFramebuffer) \
  X(vkDestroyFramebuffer, vkDestroyFramebuffer) \
  X(vkCreateRenderPass, vkCreateRenderPass) \
  X(vkDestroyRenderPass, vkDestroyRenderPass) \
  X(vkGetRenderAreaGranularity, vkGetRenderAreaGranularity) \
  X(vkCmdSetViewport, vkCmdSetViewport) \
  X(vkCmdSetScissor, vkCmdSetScissor) \
  X(vkCmdSetLineWidth, vkCmdSetLineWidth) \
  X(vkCmdSetDepthBias, vkCmdSetDepthBias) \
  X(vkCmdSetBlendConstants, vkCmdSetBlendConstants) \
  X(vkCmdSetDepthBounds, vkCmdSetDepthBounds) \
  X(vkCmdSetStencilCompareMask, vkCmdSetStencilCompareMask) \
  X(vkCmdSetStencilWriteMask, vkCmdSetStencilWriteMask) \
  X(vkCmdSetStencilReference, vkCmdSetStencilReference) \
  X(vkCmdBindIndexBuffer, vkCmdBindIndexBuffer) \
  X(vkCmdBindVertexBuffers, vkCmdBindVertexBuffers) \
  X(vkCmdDraw, vkCmdDraw) \
  X(vkCmdDrawIndexed, vkCmdDrawIndexed) \
  X(vkCmdDrawIndirect, vkCmdDrawIndirect) \
  X(vkCmdDrawIndexedIndirect, vkCmdDrawIndexedIndirect) \
  X(vkCmdBlitImage, vkCmdBlitImage) \
  X(vkCmdClearAttachments, vkCmdClearAttachments) \
  X(vkCmdResolveImage, vkCmdResolveImage) \
  X(vkCmdBeginQuery, vkCmdBeginQuery) \
  X(vkCmdEndQuery, vkCmdEndQuery) \
  X(vkCmdBeginRenderPass, vkCmdBeginRenderPass) \
  X(vkCmdNextSubpass, vkCmdNextSubpass) \
  X(vkCmdEndRenderPass, vkCmdEndRenderPass) \
  X(vkGetImageSparseMemoryRequirements2, vkGetImageSparseMemoryRequirements2) \
  X(vkGetImageSparseMemoryRequirements2KHR, vkGetImageSparseMemoryRequirements2) \
  X(vkCmdDrawIndirectCount, vkCmdDrawIndirectCount) \
  X(vkCmdDrawIndirectCountKHR, vkCmdDrawIndirectCount) \
  X(vkCmdDrawIndirectCountAMD, vkCmdDrawIndirectCount) \
  X(vkCmdDrawIndexedIndirectCount, vkCmdDrawIndexedIndirectCount) \
  X(vkCmdDrawIndexedIndirectCountKHR, vkCmdDrawIndexedIndirectCount) \
  X(vkCmdDrawIndexedIndirectCountAMD, vkCmdDrawIndexedIndirectCount) \
  X(vkCreateRenderPass2, vkCreateRenderPass2) \
  X(vkCreateRenderPass2KHR, vkCreateRenderPass2) \
  X(vkCmdBeginRenderPass2, vkCmdBeginRenderPass2) \
  X(vkCmdBeginRenderPass2KHR, vkCmdBeginRenderPass2) \
  X(vkCmdNextSubpass2, vkCmdNextSubpass2) \
  X(vkCmdNextSubpass2KHR, vkCmdNextSubpass2) \
  X(vkCmdEndRenderPass2, vkCmdEndRenderPass2) \
  X(vkCmdEndRenderPass2KHR, vkCmdEndRenderPass2) \
  X(vkCmdBlitImage2, vkCmdBlitImage2) \
  X(vkCmdBlitImage2KHR, vkCmdBlitImage2) \
  X(vkCmdResolveImage2, vkCmdResolveImage2) \
  X(vkCmdResolveImage2KHR, vkCmdResolveImage2) \
  X(vkCmdBeginRendering, vkCmdBeginRendering) \
  X(vkCmdBeginRenderingKHR, vkCmdBeginRendering) \
  X(vkCmdEndRendering, vkCmdEndRendering) \
  X(vkCmdEndRenderingKHR, vkCmdEndRendering) \
  X(vkCmdSetCullMode, vkCmdSetCullMode) \
  X(vkCmdSetCullModeEXT, vkCmdSetCullMode) \
  X(vkCmdSetFrontFace, vkCmdSetFrontFace) \
  X(vkCmdSetFrontFaceEXT, vkCmdSetFrontFace) \
  X(vkCmdSetPrimitiveTopology, vkCmdSetPrimitiveTopology) \
  X(vkCmdSetPrimitiveTopologyEXT, vkCmdSetPrimitiveTopology) \
  X(vkCmdSetViewportWithCount, vkCmdSetViewportWithCount) \
  X(vkCmdSetViewportWithCountEXT, vkCmdSetViewportWithCount) \
  X(vkCmdSetScissorWithCount, vkCmdSetScissorWithCount) \
  X(vkCmdSetScissorWithCountEXT, vkCmdSetScissorWithCount) \
  X(vkCmdBindVertexBuffers2, vkCmdBindVertexBuffers2) \
  X(vkCmdBindVertexBuffers2EXT, vkCmdBindVertexBuffers2) \
  X(vkCmdSetDepthTestEnable, vkCmdSetDepthTestEnable) \
  X(vkCmdSetDepthTestEnableEXT, vkCmdSetDepthTestEnable) \
  X(vkCmdSetDepthWriteEnable, vkCmdSetDepthWriteEnable) \
  X(vkCmdSetDepthWriteEnableEXT, vkCmdSetDepthWriteEnable) \
  X(vkCmdSetDepthCompareOp, vkCmdSetDepthCompareOp) \
  X(vkCmdSetDepthCompareOpEXT, vkCmdSetDepthCompareOp) \
  X(vkCmdSetDepthBoundsTestEnable, vkCmdSetDepthBoundsTestEnable) \
  X(vkCmdSetDepthBoundsTestEnableEXT, vkCmdSetDepthBoundsTestEnable) \
  X(vkCmdSetStencilTestEnable, vkCmdSetStencilTestEnable) \
  X(vkCmdSetStencilTestEnableEXT, vkCmdSetStencilTestEnable) \
  X(vkCmdSetStencilOp, vkCmdSetStencilOp) \
  X(vkCmdSetStencilOpEXT, vkCmdSetStencilOp) \
  X(vkCmdSetRasterizerDiscardEnable, vkCmdSetRasterizerDiscardEnable) \
  X(vkCmdSetRasterizerDiscardEnableEXT, vkCmdSetRasterizerDiscardEnable) \
  X(vkCmdSetDepthBiasEnable, vkCmdSetDepthBiasEnable) \
  X(vkCmdSetDepthBiasEnableEXT, vkCmdSetDepthBiasEnable) \
  X(vkCmdSetPrimitiveRestartEnable, vkCmdSetPrimitiveRestartEnable) \
  X(vkCmdSetPrimitiveRestartEnableEXT, vkCmdSetPrimitiveRestartEnable) \
  X(vkGetDeviceImageSparseMemoryRequirements, vkGetDeviceImageSparseMemoryRequirements) \
  X(vkGetDeviceImageSparseMemoryRequirementsKHR, vkGetDeviceImageSparseMemoryRequirements) \

#define VK_FEATURE_STRUCTS(X) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV, "deviceGeneratedCommands") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, "privateData") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES, "variablePointersStorageBuffer variablePointers") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, "multiview multiviewGeometryShader multiviewTessellationShader") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR, "presentId") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR, "presentWait") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, "storageBuffer16BitAccess uniformAndStorageBuffer16BitAccess storagePushConstant16 storageInputOutput16") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, "shaderSubgroupExtendedTypes") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES, "samplerYcbcrConversion") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES, "protectedMemory") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_FEATURES_EXT, "advancedBlendCoherentOperations") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT, "multiDraw") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES, "inlineUniformBlock descriptorBindingInlineUniformBlockUpdateAfterBind") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES, "maintenance4") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES, "shaderDrawParameters") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, "shaderFloat16 shaderInt8") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, "hostQueryReset") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GLOBAL_PRIORITY_QUERY_FEATURES_KHR, "globalPriorityQuery") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_MEMORY_REPORT_FEATURES_EXT, "deviceMemoryReport") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES, "shaderInputAttachmentArrayDynamicIndexing shaderUniformTexelBufferArrayDynamicIndexing shaderStorageTexelBufferArrayDynamicIndexing shaderUniformBufferArrayNonUniformIndexing shaderSampledImageArrayNonUniformIndexing shaderStorageBufferArrayNonUniformIndexing shaderStorageImageArrayNonUniformIndexing shaderInputAttachmentArrayNonUniformIndexing shaderUniformTexelBufferArrayNonUniformIndexing shaderStorageTexelBufferArrayNonUniformIndexing descriptorBindingUniformBufferUpdateAfterBind descriptorBindingSampledImageUpdateAfterBind descriptorBindingStorageImageUpdateAfterBind descriptorBindingStorageBufferUpdateAfterBind descriptorBindingUniformTexelBufferUpdateAfterBind descriptorBindingStorageTexelBufferUpdateAfterBind descriptorBindingUpdateUnusedWhilePending descriptorBindingPartiallyBound descriptorBindingVariableDescriptorCount runtimeDescriptorArray") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, "timelineSemaphore") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, "storageBuffer8BitAccess uniformAndStorageBuffer8BitAccess storagePushConstant8") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, "conditionalRendering inheritedConditionalRendering") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, "vulkanMemoryModel vulkanMemoryModelDeviceScope vulkanMemoryModelAvailabilityVisibilityChains") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, "shaderBufferInt64Atomics shaderSharedInt64Atomics") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, "shaderBufferFloat32Atomics shaderBufferFloat32AtomicAdd shaderBufferFloat64Atomics shaderBufferFloat64AtomicAdd shaderSharedFloat32Atomics shaderSharedFloat32AtomicAdd shaderSharedFloat64Atomics shaderSharedFloat64AtomicAdd shaderImageFloat32Atomics shaderImageFloat32AtomicAdd sparseImageFloat32Atomics sparseImageFloat32AtomicAdd") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT, "shaderBufferFloat16Atomics shaderBufferFloat16AtomicAdd shaderBufferFloat16AtomicMinMax shaderBufferFloat32AtomicMinMax shaderBufferFloat64AtomicMinMax shaderSharedFloat16Atomics shaderSharedFloat16AtomicAdd shaderSharedFloat16AtomicMinMax shaderSharedFloat32AtomicMinMax shaderSharedFloat64AtomicMinMax shaderImageFloat32AtomicMinMax sparseImageFloat32AtomicMinMax") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT, "vertexAttributeInstanceRateDivisor vertexAttributeInstanceRateZeroDivisor") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ASTC_DECODE_FEATURES_EXT, "decodeModeSharedExponent") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, "transformFeedback geometryStreams") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_REPRESENTATIVE_FRAGMENT_TEST_FEATURES_NV, "representativeFragmentTest") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXCLUSIVE_SCISSOR_FEATURES_NV, "exclusiveScissor") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CORNER_SAMPLED_IMAGE_FEATURES_NV, "cornerSampledImage") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_NV, "computeDerivativeGroupQuads computeDerivativeGroupLinear") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_FOOTPRINT_FEATURES_NV, "imageFootprint") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEDICATED_ALLOCATION_IMAGE_ALIASING_FEATURES_NV, "dedicatedAllocationImageAliasing") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_NV, "indirectCopy") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_DECOMPRESSION_FEATURES_NV, "memoryDecompression") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_FEATURES_NV, "shadingRateImage shadingRateCoarseSampleOrder") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INVOCATION_MASK_FEATURES_HUAWEI, "invocationMask") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV, "taskShader meshShader") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, "taskShader meshShader multiviewMeshShader primitiveFragmentShadingRateMeshShader meshShaderQueries") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, "accelerationStructure accelerationStructureCaptureReplay accelerationStructureIndirectBuild accelerationStructureHostCommands descriptorBindingAccelerationStructureUpdateAfterBind") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR, "rayTracingPipeline rayTracingPipelineShaderGroupHandleCaptureReplay rayTracingPipelineShaderGroupHandleCaptureReplayMixed rayTracingPipelineTraceRaysIndirect rayTraversalPrimitiveCulling") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, "rayQuery") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR, "rayTracingMaintenance1 rayTracingPipelineTraceRaysIndirect2") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT, "fragmentDensityMap fragmentDensityMapDynamic fragmentDensityMapNonSubsampledImages") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_2_FEATURES_EXT, "fragmentDensityMapDeferred") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_OFFSET_FEATURES_QCOM, "fragmentDensityMapOffset") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES, "scalarBlockLayout") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES, "uniformBufferStandardLayout") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT, "depthClipEnable") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PRIORITY_FEATURES_EXT, "memoryPriority") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PAGEABLE_DEVICE_LOCAL_MEMORY_FEATURES_EXT, "pageableDeviceLocalMemory") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, "bufferDeviceAddress bufferDeviceAddressCaptureReplay bufferDeviceAddressMultiDevice") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT, "bufferDeviceAddress bufferDeviceAddressCaptureReplay bufferDeviceAddressMultiDevice") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, "imagelessFramebuffer") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXTURE_COMPRESSION_ASTC_HDR_FEATURES, "textureCompressionASTC_HDR") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV, "cooperativeMatrix cooperativeMatrixRobustBufferAccess") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_IMAGE_ARRAYS_FEATURES_EXT, "ycbcrImageArrays") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_BARRIER_FEATURES_NV, "presentBarrier") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR, "performanceCounterQueryPools performanceCounterMultipleQueryPools") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COVERAGE_REDUCTION_MODE_FEATURES_NV, "coverageReductionMode") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_FUNCTIONS_2_FEATURES_INTEL, "shaderIntegerFunctions2") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR, "shaderSubgroupClock shaderDeviceClock") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT, "indexTypeUint8") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_FEATURES_NV, "shaderSMBuiltins") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, "fragmentShaderSampleInterlock fragmentShaderPixelInterlock fragmentShaderShadingRateInterlock") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES, "separateDepthStencilLayouts") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT, "primitiveTopologyListRestart primitiveTopologyPatchListRestart") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, "pipelineExecutableInfo") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES, "shaderDemoteToHelperInvocation") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT, "texelBufferAlignment") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, "subgroupSizeControl computeFullSubgroups") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT, "rectangularLines bresenhamLines smoothLines stippledRectangularLines stippledBresenhamLines stippledSmoothLines") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES, "pipelineCreationCacheControl") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, "storageBuffer16BitAccess uniformAndStorageBuffer16BitAccess storagePushConstant16 storageInputOutput16 multiview multiviewGeometryShader multiviewTessellationShader variablePointersStorageBuffer variablePointers protectedMemory samplerYcbcrConversion shaderDrawParameters") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, "samplerMirrorClampToEdge drawIndirectCount storageBuffer8BitAccess uniformAndStorageBuffer8BitAccess storagePushConstant8 shaderBufferInt64Atomics shaderSharedInt64Atomics shaderFloat16 shaderInt8 descriptorIndexing shaderInputAttachmentArrayDynamicIndexing shaderUniformTexelBufferArrayDynamicIndexing shaderStorageTexelBufferArrayDynamicIndexing shaderUniformBufferArrayNonUniformIndexing shaderSampledImageArrayNonUniformIndexing shaderStorageBufferArrayNonUniformIndexing shaderStorageImageArrayNonUniformIndexing shaderInputAttachmentArrayNonUniformIndexing shaderUniformTexelBufferArrayNonUniformIndexing shaderStorageTexelBufferArrayNonUniformIndexing descriptorBindingUniformBufferUpdateAfterBind descriptorBindingSampledImageUpdateAfterBind descriptorBindingStorageImageUpdateAfterBind descriptorBindingStorageBufferUpdateAfterBind descriptorBindingUniformTexelBufferUpdateAfterBind descriptorBindingStorageTexelBufferUpdateAfterBind descriptorBindingUpdateUnusedWhilePending descriptorBindingPartiallyBound descriptorBindingVariableDescriptorCount runtimeDescriptorArray samplerFilterMinmax scalarBlockLayout imagelessFramebuffer uniformBufferStandardLayout shaderSubgroupExtendedTypes separateDepthStencilLayouts hostQueryReset timelineSemaphore bufferDeviceAddress bufferDeviceAddressCaptureReplay bufferDeviceAddressMultiDevice vulkanMemoryModel vulkanMemoryModelDeviceScope vulkanMemoryModelAvailabilityVisibilityChains shaderOutputViewportIndex shaderOutputLayer subgroupBroadcastDynamicId") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, "robustImageAccess inlineUniformBlock descriptorBindingInlineUniformBlockUpdateAfterBind pipelineCreationCacheControl privateData shaderDemoteToHelperInvocation shaderTerminateInvocation subgroupSizeControl computeFullSubgroups synchronization2 textureCompressionASTC_HDR shaderZeroInitializeWorkgroupMemory dynamicRendering shaderIntegerDotProduct maintenance4") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COHERENT_MEMORY_FEATURES_AMD, "deviceCoherentMemory") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT, "customBorderColors customBorderColorWithoutFormat") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT, "borderColorSwizzle borderColorSwizzleFromImage") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT, "extendedDynamicState") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, "extendedDynamicState2 extendedDynamicState2LogicOp extendedDynamicState2PatchControlPoints") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, "extendedDynamicState3TessellationDomainOrigin extendedDynamicState3DepthClampEnable extendedDynamicState3PolygonMode extendedDynamicState3RasterizationSamples extendedDynamicState3SampleMask extendedDynamicState3AlphaToCoverageEnable extendedDynamicState3AlphaToOneEnable extendedDynamicState3LogicOpEnable extendedDynamicState3ColorBlendEnable extendedDynamicState3ColorBlendEquation extendedDynamicState3ColorWriteMask extendedDynamicState3RasterizationStream extendedDynamicState3ConservativeRasterizationMode extendedDynamicState3ExtraPrimitiveOverestimationSize extendedDynamicState3DepthClipEnable extendedDynamicState3SampleLocationsEnable extendedDynamicState3ColorBlendAdvanced extendedDynamicState3ProvokingVertexMode extendedDynamicState3LineRasterizationMode extendedDynamicState3LineStippleEnable extendedDynamicState3DepthClipNegativeOneToOne extendedDynamicState3ViewportWScalingEnable extendedDynamicState3ViewportSwizzle extendedDynamicState3CoverageToColorEnable extendedDynamicState3CoverageToColorLocation extendedDynamicState3CoverageModulationMode extendedDynamicState3CoverageModulationTableEnable extendedDynamicState3CoverageModulationTable extendedDynamicState3CoverageReductionMode extendedDynamicState3RepresentativeFragmentTestEnable extendedDynamicState3ShadingRateImageEnable") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DIAGNOSTICS_CONFIG_FEATURES_NV, "diagnosticsConfig") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES, "shaderZeroInitializeWorkgroupMemory") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR, "shaderSubgroupUniformControlFlow") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, "robustBufferAccess2 robustImageAccess2 nullDescriptor") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES, "robustImageAccess") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, "workgroupMemoryExplicitLayout workgroupMemoryExplicitLayoutScalarBlockLayout workgroupMemoryExplicitLayout8BitAccess workgroupMemoryExplicitLayout16BitAccess") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR, "constantAlphaColorBlendFactors events imageViewFormatReinterpretation imageViewFormatSwizzle imageView2DOn3DImage multisampleArrayImage mutableComparisonSamplers pointPolygons samplerMipLodBias separateStencilMaskRef shaderSampleRateInterpolationFunctions tessellationIsolines tessellationPointMode triangleFans vertexAttributeAccessBeyondStride") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_4444_FORMATS_FEATURES_EXT, "formatA4R4G4B4 formatA4B4G4R4") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBPASS_SHADING_FEATURES_HUAWEI, "subpassShading") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_FEATURES_HUAWEI, "clustercullingShader multiviewClusterCullingShader") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, "shaderImageInt64Atomics sparseImageInt64Atomics") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR, "pipelineFragmentShadingRate primitiveFragmentShadingRate attachmentFragmentShadingRate") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES, "shaderTerminateInvocation") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_ENUMS_FEATURES_NV, "fragmentShadingRateEnums supersampleFragmentShadingRates noInvocationFragmentShadingRates") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT, "image2DViewOf3D sampler2DViewOf3D") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, "mutableDescriptorType") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT, "depthClipControl") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, "vertexInputDynamicState") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_RDMA_FEATURES_NV, "externalMemoryRDMA") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT, "colorWriteEnable") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, "synchronization2") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT, "primitivesGeneratedQuery primitivesGeneratedQueryWithRasterizerDiscard primitivesGeneratedQueryWithNonZeroStreams") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LEGACY_DITHERING_FEATURES_EXT, "legacyDithering") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_FEATURES_EXT, "multisampledRenderToSingleSampled") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_PROTECTED_ACCESS_FEATURES_EXT, "pipelineProtectedAccess") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INHERITED_VIEWPORT_SCISSOR_FEATURES_NV, "inheritedViewportScissor2D") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_YCBCR_2_PLANE_444_FORMATS_FEATURES_EXT, "ycbcr2plane444Formats") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, "provokingVertexLast transformFeedbackPreservesProvokingVertex") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT, "descriptorBuffer descriptorBufferCaptureReplay descriptorBufferImageLayoutIgnored descriptorBufferPushDescriptors") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES, "shaderIntegerDotProduct") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR, "fragmentShaderBarycentric") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MOTION_BLUR_FEATURES_NV, "rayTracingMotionBlur rayTracingMotionBlurPipelineTraceRaysIndirect") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RGBA10X6_FORMATS_FEATURES_EXT, "formatRgba10x6WithoutYCbCrSampler") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, "dynamicRendering") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_MIN_LOD_FEATURES_EXT, "minLod") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT, "rasterizationOrderColorAttachmentAccess rasterizationOrderDepthAttachmentAccess rasterizationOrderStencilAttachmentAccess") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINEAR_COLOR_ATTACHMENT_FEATURES_NV, "linearColorAttachment") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, "graphicsPipelineLibrary") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_SET_HOST_MAPPING_FEATURES_VALVE, "descriptorSetHostMapping") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT, "shaderModuleIdentifier") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_COMPRESSION_CONTROL_FEATURES_EXT, "imageCompressionControl") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_COMPRESSION_CONTROL_SWAPCHAIN_FEATURES_EXT, "imageCompressionControlSwapchain") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBPASS_MERGE_FEEDBACK_FEATURES_EXT, "subpassMergeFeedback") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT, "micromap micromapCaptureReplay micromapHostCommands") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_PROPERTIES_FEATURES_EXT, "pipelinePropertiesIdentifier") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_EARLY_AND_LATE_FRAGMENT_TESTS_FEATURES_AMD, "shaderEarlyAndLateFragmentTests") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT, "nonSeamlessCubeMap") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT, "pipelineRobustness") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM, "textureSampleWeighted textureBoxFilter textureBlockMatch") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_PROPERTIES_FEATURES_QCOM, "tileProperties") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_AMIGO_PROFILING_FEATURES_SEC, "amigoProfiling") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT, "attachmentFeedbackLoopLayout") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLAMP_ZERO_ONE_FEATURES_EXT, "depthClampZeroOne") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT, "reportAddressBinding") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_FEATURES_NV, "opticalFlow") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, "deviceFault deviceFaultVendorBinary") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_FEATURES_ARM, "shaderCoreBuiltins") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT, "swapchainMaintenance1") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_INVOCATION_REORDER_FEATURES_NV, "rayTracingInvocationReorder") \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PER_VIEW_VIEWPORTS_FEATURES_QCOM, "multiviewPerViewViewports") \

#define VK_CORE_FEATURES "robustBufferAccess fullDrawIndexUint32 imageCubeArray independentBlend geometryShader tessellationShader sampleRateShading dualSrcBlend logicOp multiDrawIndirect drawIndirectFirstInstance depthClamp depthBiasClamp fillModeNonSolid depthBounds wideLines largePoints alphaToOne multiViewport samplerAnisotropy textureCompressionETC2 textureCompressionASTC_LDR textureCompressionBC occlusionQueryPrecise pipelineStatisticsQuery vertexPipelineStoresAndAtomics fragmentStoresAndAtomics shaderTessellationAndGeometryPointSize shaderImageGatherExtended shaderStorageImageExtendedFormats shaderStorageImageMultisample shaderStorageImageReadWithoutFormat shaderStorageImageWriteWithoutFormat shaderUniformBufferArrayDynamicIndexing shaderSampledImageArrayDynamicIndexing shaderStorageBufferArrayDynamicIndexing shaderStorageImageArrayDynamicIndexing shaderClipDistance shaderCullDistance shaderFloat64 shaderInt64 shaderInt16 shaderResourceResidency shaderResourceMinLod sparseBinding sparseResidencyBuffer sparseResidencyImage2D sparseResidencyImage3D sparseResidency2Samples sparseResidency4Samples sparseResidency8Samples sparseResidency16Samples sparseResidencyAliased variableMultisampleRate inheritedQueries"

#define VK_PROPERTY_MEMBERS(X) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, maxGraphicsShaderGroupCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, maxIndirectSequenceCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, maxIndirectCommandsTokenCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, maxIndirectCommandsStreamCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, maxIndirectCommandsTokenOffset) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, maxIndirectCommandsStreamStride) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, minSequencesCountBufferOffsetAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, minSequencesIndexBufferOffsetAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_NV, VkPhysicalDeviceDeviceGeneratedCommandsPropertiesNV, minIndirectCommandsBufferOffsetAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_PROPERTIES_EXT, VkPhysicalDeviceMultiDrawPropertiesEXT, maxMultiDrawCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR, VkPhysicalDevicePushDescriptorPropertiesKHR, maxPushDescriptors) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, VkPhysicalDeviceDriverProperties, driverID) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, VkPhysicalDeviceIDProperties, deviceNodeMask) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, VkPhysicalDeviceIDProperties, deviceLUIDValid) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES, VkPhysicalDeviceMultiviewProperties, maxMultiviewViewCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES, VkPhysicalDeviceMultiviewProperties, maxMultiviewInstanceIndex) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DISCARD_RECTANGLE_PROPERTIES_EXT, VkPhysicalDeviceDiscardRectanglePropertiesEXT, maxDiscardRectangles) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PER_VIEW_ATTRIBUTES_PROPERTIES_NVX, VkPhysicalDeviceMultiviewPerViewAttributesPropertiesNVX, perViewPositionAllComponents) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, VkPhysicalDeviceSubgroupProperties, subgroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, VkPhysicalDeviceSubgroupProperties, supportedStages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, VkPhysicalDeviceSubgroupProperties, supportedOperations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, VkPhysicalDeviceSubgroupProperties, quadOperationsInAllStages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES, VkPhysicalDevicePointClippingProperties, pointClippingBehavior) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES, VkPhysicalDeviceProtectedMemoryProperties, protectedNoFault) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES, VkPhysicalDeviceSamplerFilterMinmaxProperties, filterMinmaxSingleComponentFormats) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES, VkPhysicalDeviceSamplerFilterMinmaxProperties, filterMinmaxImageComponentMapping) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT, VkPhysicalDeviceSampleLocationsPropertiesEXT, sampleLocationSampleCounts) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT, VkPhysicalDeviceSampleLocationsPropertiesEXT, sampleLocationSubPixelBits) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLE_LOCATIONS_PROPERTIES_EXT, VkPhysicalDeviceSampleLocationsPropertiesEXT, variableSampleLocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_PROPERTIES_EXT, VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT, advancedBlendMaxColorAttachments) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_PROPERTIES_EXT, VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT, advancedBlendIndependentBlend) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_PROPERTIES_EXT, VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT, advancedBlendNonPremultipliedSrcColor) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_PROPERTIES_EXT, VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT, advancedBlendNonPremultipliedDstColor) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_PROPERTIES_EXT, VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT, advancedBlendCorrelatedOverlap) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BLEND_OPERATION_ADVANCED_PROPERTIES_EXT, VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT, advancedBlendAllOperations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES, VkPhysicalDeviceInlineUniformBlockProperties, maxInlineUniformBlockSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES, VkPhysicalDeviceInlineUniformBlockProperties, maxPerStageDescriptorInlineUniformBlocks) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES, VkPhysicalDeviceInlineUniformBlockProperties, maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES, VkPhysicalDeviceInlineUniformBlockProperties, maxDescriptorSetInlineUniformBlocks) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES, VkPhysicalDeviceInlineUniformBlockProperties, maxDescriptorSetUpdateAfterBindInlineUniformBlocks) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, VkPhysicalDeviceMaintenance3Properties, maxPerSetDescriptors) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, VkPhysicalDeviceMaintenance3Properties, maxMemoryAllocationSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES, VkPhysicalDeviceMaintenance4Properties, maxBufferSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, denormBehaviorIndependence) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, roundingModeIndependence) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderSignedZeroInfNanPreserveFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderSignedZeroInfNanPreserveFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderSignedZeroInfNanPreserveFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderDenormPreserveFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderDenormPreserveFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderDenormPreserveFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderDenormFlushToZeroFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderDenormFlushToZeroFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderDenormFlushToZeroFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderRoundingModeRTEFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderRoundingModeRTEFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderRoundingModeRTEFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderRoundingModeRTZFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderRoundingModeRTZFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, VkPhysicalDeviceFloatControlsProperties, shaderRoundingModeRTZFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT, VkPhysicalDeviceExternalMemoryHostPropertiesEXT, minImportedHostPointerAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT, VkPhysicalDeviceConservativeRasterizationPropertiesEXT, primitiveUnderestimation) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT, VkPhysicalDeviceConservativeRasterizationPropertiesEXT, conservativePointAndLineRasterization) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT, VkPhysicalDeviceConservativeRasterizationPropertiesEXT, degenerateTrianglesRasterized) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT, VkPhysicalDeviceConservativeRasterizationPropertiesEXT, degenerateLinesRasterized) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT, VkPhysicalDeviceConservativeRasterizationPropertiesEXT, fullyCoveredFragmentShaderInputVariable) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT, VkPhysicalDeviceConservativeRasterizationPropertiesEXT, conservativeRasterizationPostDepthCoverage) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, shaderEngineCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, shaderArraysPerEngineCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, computeUnitsPerShaderArray) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, simdPerComputeUnit) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, wavefrontsPerSimd) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, wavefrontSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, sgprsPerSimd) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, minSgprAllocation) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, maxSgprAllocation) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, sgprAllocationGranularity) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, vgprsPerSimd) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, minVgprAllocation) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, maxVgprAllocation) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD, VkPhysicalDeviceShaderCorePropertiesAMD, vgprAllocationGranularity) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD, VkPhysicalDeviceShaderCoreProperties2AMD, shaderCoreFeatures) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD, VkPhysicalDeviceShaderCoreProperties2AMD, activeComputeUnitCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxUpdateAfterBindDescriptorsInAllPools) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, shaderUniformBufferArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, shaderSampledImageArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, shaderStorageBufferArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, shaderStorageImageArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, shaderInputAttachmentArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, robustBufferAccessUpdateAfterBind) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, quadDivergentImplicitLod) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindSamplers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindUniformBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindStorageBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindSampledImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindStorageImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageDescriptorUpdateAfterBindInputAttachments) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxPerStageUpdateAfterBindResources) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindSamplers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindUniformBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindUniformBuffersDynamic) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindStorageBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindStorageBuffersDynamic) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindSampledImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindStorageImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, VkPhysicalDeviceDescriptorIndexingProperties, maxDescriptorSetUpdateAfterBindInputAttachments) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES, VkPhysicalDeviceTimelineSemaphoreProperties, maxTimelineSemaphoreValueDifference) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT, VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT, maxVertexAttribDivisor) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT, VkPhysicalDevicePCIBusInfoPropertiesEXT, pciDomain) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT, VkPhysicalDevicePCIBusInfoPropertiesEXT, pciBus) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT, VkPhysicalDevicePCIBusInfoPropertiesEXT, pciDevice) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT, VkPhysicalDevicePCIBusInfoPropertiesEXT, pciFunction) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES, VkPhysicalDeviceDepthStencilResolveProperties, supportedDepthResolveModes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES, VkPhysicalDeviceDepthStencilResolveProperties, supportedStencilResolveModes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES, VkPhysicalDeviceDepthStencilResolveProperties, independentResolveNone) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES, VkPhysicalDeviceDepthStencilResolveProperties, independentResolve) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, maxTransformFeedbackStreams) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, maxTransformFeedbackBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, maxTransformFeedbackBufferSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, maxTransformFeedbackStreamDataSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, maxTransformFeedbackBufferDataSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, maxTransformFeedbackBufferDataStride) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, transformFeedbackQueries) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, transformFeedbackStreamsLinesTriangles) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, transformFeedbackRasterizationStreamSelect) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, VkPhysicalDeviceTransformFeedbackPropertiesEXT, transformFeedbackDraw) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_PROPERTIES_NV, VkPhysicalDeviceCopyMemoryIndirectPropertiesNV, supportedQueues) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_DECOMPRESSION_PROPERTIES_NV, VkPhysicalDeviceMemoryDecompressionPropertiesNV, decompressionMethods) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_DECOMPRESSION_PROPERTIES_NV, VkPhysicalDeviceMemoryDecompressionPropertiesNV, maxDecompressionIndirectCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_PROPERTIES_NV, VkPhysicalDeviceShadingRateImagePropertiesNV, shadingRatePaletteSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_PROPERTIES_NV, VkPhysicalDeviceShadingRateImagePropertiesNV, shadingRateMaxCoarseSamples) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxDrawMeshTasksCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxTaskWorkGroupInvocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxTaskWorkGroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxTaskTotalMemorySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxTaskOutputCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxMeshWorkGroupInvocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxMeshWorkGroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxMeshTotalMemorySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxMeshOutputVertices) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxMeshOutputPrimitives) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, maxMeshMultiviewViewCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, meshOutputPerVertexGranularity) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_NV, VkPhysicalDeviceMeshShaderPropertiesNV, meshOutputPerPrimitiveGranularity) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxTaskWorkGroupTotalCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxTaskWorkGroupCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxTaskWorkGroupInvocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxTaskWorkGroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxTaskPayloadSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxTaskSharedMemorySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxTaskPayloadAndSharedMemorySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshWorkGroupTotalCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshWorkGroupCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshWorkGroupInvocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshWorkGroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshSharedMemorySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshPayloadAndSharedMemorySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshOutputMemorySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshPayloadAndOutputMemorySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshOutputComponents) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshOutputVertices) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshOutputPrimitives) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshOutputLayers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxMeshMultiviewViewCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, meshOutputPerVertexGranularity) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, meshOutputPerPrimitiveGranularity) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxPreferredTaskWorkGroupInvocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, maxPreferredMeshWorkGroupInvocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, prefersLocalInvocationVertexOutput) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, prefersLocalInvocationPrimitiveOutput) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, prefersCompactVertexOutput) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT, VkPhysicalDeviceMeshShaderPropertiesEXT, prefersCompactPrimitiveOutput) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxGeometryCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxInstanceCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxPrimitiveCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxPerStageDescriptorAccelerationStructures) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxPerStageDescriptorUpdateAfterBindAccelerationStructures) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxDescriptorSetAccelerationStructures) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, VkPhysicalDeviceAccelerationStructurePropertiesKHR, maxDescriptorSetUpdateAfterBindAccelerationStructures) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR, VkPhysicalDeviceAccelerationStructurePropertiesKHR, minAccelerationStructureScratchOffsetAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR, VkPhysicalDeviceRayTracingPipelinePropertiesKHR, shaderGroupHandleSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR, VkPhysicalDeviceRayTracingPipelinePropertiesKHR, maxRayRecursionDepth) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR, VkPhysicalDeviceRayTracingPipelinePropertiesKHR, maxShaderGroupStride) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR, VkPhysicalDeviceRayTracingPipelinePropertiesKHR, shaderGroupBaseAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR, VkPhysicalDeviceRayTracingPipelinePropertiesKHR, shaderGroupHandleCaptureReplaySize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR, VkPhysicalDeviceRayTracingPipelinePropertiesKHR, maxRayDispatchInvocationCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR, VkPhysicalDeviceRayTracingPipelinePropertiesKHR, shaderGroupHandleAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR, VkPhysicalDeviceRayTracingPipelinePropertiesKHR, maxRayHitAttributeSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV, VkPhysicalDeviceRayTracingPropertiesNV, shaderGroupHandleSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV, VkPhysicalDeviceRayTracingPropertiesNV, maxRecursionDepth) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV, VkPhysicalDeviceRayTracingPropertiesNV, maxShaderGroupStride) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV, VkPhysicalDeviceRayTracingPropertiesNV, shaderGroupBaseAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV, VkPhysicalDeviceRayTracingPropertiesNV, maxGeometryCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV, VkPhysicalDeviceRayTracingPropertiesNV, maxInstanceCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV, VkPhysicalDeviceRayTracingPropertiesNV, maxTriangleCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PROPERTIES_NV, VkPhysicalDeviceRayTracingPropertiesNV, maxDescriptorSetAccelerationStructures) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_PROPERTIES_EXT, VkPhysicalDeviceFragmentDensityMapPropertiesEXT, fragmentDensityInvocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_2_PROPERTIES_EXT, VkPhysicalDeviceFragmentDensityMap2PropertiesEXT, subsampledLoads) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_2_PROPERTIES_EXT, VkPhysicalDeviceFragmentDensityMap2PropertiesEXT, subsampledCoarseReconstructionEarlyAccess) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_2_PROPERTIES_EXT, VkPhysicalDeviceFragmentDensityMap2PropertiesEXT, maxSubsampledArrayLayers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_2_PROPERTIES_EXT, VkPhysicalDeviceFragmentDensityMap2PropertiesEXT, maxDescriptorSetSubsampledSamplers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_NV, VkPhysicalDeviceCooperativeMatrixPropertiesNV, cooperativeMatrixSupportedStages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_PROPERTIES_KHR, VkPhysicalDevicePerformanceQueryPropertiesKHR, allowCommandBufferQueryCopies) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV, VkPhysicalDeviceShaderSMBuiltinsPropertiesNV, shaderSMCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV, VkPhysicalDeviceShaderSMBuiltinsPropertiesNV, shaderWarpsPerSM) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES, VkPhysicalDeviceTexelBufferAlignmentProperties, storageTexelBufferOffsetAlignmentBytes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES, VkPhysicalDeviceTexelBufferAlignmentProperties, storageTexelBufferOffsetSingleTexelAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES, VkPhysicalDeviceTexelBufferAlignmentProperties, uniformTexelBufferOffsetAlignmentBytes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES, VkPhysicalDeviceTexelBufferAlignmentProperties, uniformTexelBufferOffsetSingleTexelAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES, VkPhysicalDeviceSubgroupSizeControlProperties, minSubgroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES, VkPhysicalDeviceSubgroupSizeControlProperties, maxSubgroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES, VkPhysicalDeviceSubgroupSizeControlProperties, maxComputeWorkgroupSubgroups) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES, VkPhysicalDeviceSubgroupSizeControlProperties, requiredSubgroupSizeStages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBPASS_SHADING_PROPERTIES_HUAWEI, VkPhysicalDeviceSubpassShadingPropertiesHUAWEI, maxSubpassShadingWorkgroupSizeAspectRatio) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_PROPERTIES_HUAWEI, VkPhysicalDeviceClusterCullingShaderPropertiesHUAWEI, maxWorkGroupCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_PROPERTIES_HUAWEI, VkPhysicalDeviceClusterCullingShaderPropertiesHUAWEI, maxWorkGroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_PROPERTIES_HUAWEI, VkPhysicalDeviceClusterCullingShaderPropertiesHUAWEI, maxOutputClusterCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT, VkPhysicalDeviceLineRasterizationPropertiesEXT, lineSubPixelPrecisionBits) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, deviceNodeMask) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, deviceLUIDValid) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, subgroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, subgroupSupportedStages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, subgroupSupportedOperations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, subgroupQuadOperationsInAllStages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, pointClippingBehavior) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, maxMultiviewViewCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, maxMultiviewInstanceIndex) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, protectedNoFault) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, maxPerSetDescriptors) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, VkPhysicalDeviceVulkan11Properties, maxMemoryAllocationSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, driverID) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, denormBehaviorIndependence) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, roundingModeIndependence) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderSignedZeroInfNanPreserveFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderSignedZeroInfNanPreserveFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderSignedZeroInfNanPreserveFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderDenormPreserveFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderDenormPreserveFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderDenormPreserveFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderDenormFlushToZeroFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderDenormFlushToZeroFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderDenormFlushToZeroFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTEFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTEFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTEFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTZFloat16) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTZFloat32) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTZFloat64) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxUpdateAfterBindDescriptorsInAllPools) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderUniformBufferArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderSampledImageArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderStorageBufferArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderStorageImageArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, shaderInputAttachmentArrayNonUniformIndexingNative) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, robustBufferAccessUpdateAfterBind) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, quadDivergentImplicitLod) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxPerStageDescriptorUpdateAfterBindSamplers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxPerStageDescriptorUpdateAfterBindUniformBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxPerStageDescriptorUpdateAfterBindStorageBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxPerStageDescriptorUpdateAfterBindSampledImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxPerStageDescriptorUpdateAfterBindStorageImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxPerStageDescriptorUpdateAfterBindInputAttachments) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxPerStageUpdateAfterBindResources) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxDescriptorSetUpdateAfterBindSamplers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxDescriptorSetUpdateAfterBindUniformBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxDescriptorSetUpdateAfterBindUniformBuffersDynamic) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxDescriptorSetUpdateAfterBindStorageBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxDescriptorSetUpdateAfterBindStorageBuffersDynamic) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxDescriptorSetUpdateAfterBindSampledImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxDescriptorSetUpdateAfterBindStorageImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxDescriptorSetUpdateAfterBindInputAttachments) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, supportedDepthResolveModes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, supportedStencilResolveModes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, independentResolveNone) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, independentResolve) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, filterMinmaxSingleComponentFormats) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, filterMinmaxImageComponentMapping) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, maxTimelineSemaphoreValueDifference) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, VkPhysicalDeviceVulkan12Properties, framebufferIntegerColorSampleCounts) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, minSubgroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxSubgroupSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxComputeWorkgroupSubgroups) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, requiredSubgroupSizeStages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxInlineUniformBlockSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxPerStageDescriptorInlineUniformBlocks) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxDescriptorSetInlineUniformBlocks) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxDescriptorSetUpdateAfterBindInlineUniformBlocks) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxInlineUniformTotalSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct8BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct8BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct8BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct4x8BitPackedUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct4x8BitPackedSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct4x8BitPackedMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct16BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct16BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct16BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct32BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct32BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct32BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct64BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct64BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProduct64BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating8BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating8BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating8BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating4x8BitPackedUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating4x8BitPackedSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating4x8BitPackedMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating16BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating16BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating16BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating32BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating32BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating32BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating64BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating64BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, integerDotProductAccumulatingSaturating64BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, storageTexelBufferOffsetAlignmentBytes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, storageTexelBufferOffsetSingleTexelAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, uniformTexelBufferOffsetAlignmentBytes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, uniformTexelBufferOffsetSingleTexelAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, VkPhysicalDeviceVulkan13Properties, maxBufferSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT, VkPhysicalDeviceCustomBorderColorPropertiesEXT, maxCustomBorderColorSamplers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT, VkPhysicalDeviceExtendedDynamicState3PropertiesEXT, dynamicPrimitiveTopologyUnrestricted) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT, VkPhysicalDeviceRobustness2PropertiesEXT, robustStorageBufferAccessSizeAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT, VkPhysicalDeviceRobustness2PropertiesEXT, robustUniformBufferAccessSizeAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_PROPERTIES_KHR, VkPhysicalDevicePortabilitySubsetPropertiesKHR, minVertexInputBindingStrideAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, maxFragmentShadingRateAttachmentTexelSizeAspectRatio) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, primitiveFragmentShadingRateWithMultipleViewports) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, layeredShadingRateAttachments) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, fragmentShadingRateNonTrivialCombinerOps) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, maxFragmentSizeAspectRatio) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, maxFragmentShadingRateCoverageSamples) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, maxFragmentShadingRateRasterizationSamples) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, fragmentShadingRateWithShaderDepthStencilWrites) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, fragmentShadingRateWithSampleMask) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, fragmentShadingRateWithShaderSampleMask) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, fragmentShadingRateWithConservativeRasterization) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, fragmentShadingRateWithFragmentShaderInterlock) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, fragmentShadingRateWithCustomSampleLocations) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR, VkPhysicalDeviceFragmentShadingRatePropertiesKHR, fragmentShadingRateStrictMultiplyCombiner) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_ENUMS_PROPERTIES_NV, VkPhysicalDeviceFragmentShadingRateEnumsPropertiesNV, maxFragmentShadingRateInvocationCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT, VkPhysicalDeviceProvokingVertexPropertiesEXT, provokingVertexModePerPipeline) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT, VkPhysicalDeviceProvokingVertexPropertiesEXT, transformFeedbackPreservesTriangleFanProvokingVertex) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, combinedImageSamplerDescriptorSingleArray) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, bufferlessPushDescriptors) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, allowSamplerImageViewPostSubmitCreation) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, descriptorBufferOffsetAlignment) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, maxDescriptorBufferBindings) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, maxResourceDescriptorBufferBindings) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, maxSamplerDescriptorBufferBindings) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, maxEmbeddedImmutableSamplerBindings) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, maxEmbeddedImmutableSamplers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, bufferCaptureReplayDescriptorDataSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, imageCaptureReplayDescriptorDataSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, imageViewCaptureReplayDescriptorDataSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, samplerCaptureReplayDescriptorDataSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, accelerationStructureCaptureReplayDescriptorDataSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, samplerDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, combinedImageSamplerDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, sampledImageDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, storageImageDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, uniformTexelBufferDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, robustUniformTexelBufferDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, storageTexelBufferDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, robustStorageTexelBufferDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, uniformBufferDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, robustUniformBufferDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, storageBufferDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, robustStorageBufferDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, inputAttachmentDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, accelerationStructureDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, maxSamplerDescriptorBufferRange) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, maxResourceDescriptorBufferRange) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, samplerDescriptorBufferAddressSpaceSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, resourceDescriptorBufferAddressSpaceSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferPropertiesEXT, descriptorBufferAddressSpaceSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_DENSITY_MAP_PROPERTIES_EXT, VkPhysicalDeviceDescriptorBufferDensityMapPropertiesEXT, combinedImageSamplerDensityMapDescriptorSize) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct8BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct8BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct8BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct4x8BitPackedUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct4x8BitPackedSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct4x8BitPackedMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct16BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct16BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct16BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct32BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct32BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct32BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct64BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct64BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProduct64BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating8BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating8BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating8BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating4x8BitPackedUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating4x8BitPackedSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating4x8BitPackedMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating16BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating16BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating16BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating32BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating32BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating32BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating64BitUnsignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating64BitSignedAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES, VkPhysicalDeviceShaderIntegerDotProductProperties, integerDotProductAccumulatingSaturating64BitMixedSignednessAccelerated) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT, VkPhysicalDeviceDrmPropertiesEXT, hasPrimary) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT, VkPhysicalDeviceDrmPropertiesEXT, hasRender) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_PROPERTIES_KHR, VkPhysicalDeviceFragmentShaderBarycentricPropertiesKHR, triStripVertexOrderIndependentOfProvokingVertex) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT, VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT, graphicsPipelineLibraryFastLinking) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT, VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT, graphicsPipelineLibraryIndependentInterpolationDecoration) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_PROPERTIES_EXT, VkPhysicalDeviceOpacityMicromapPropertiesEXT, maxOpacity2StateSubdivisionLevel) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_PROPERTIES_EXT, VkPhysicalDeviceOpacityMicromapPropertiesEXT, maxOpacity4StateSubdivisionLevel) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES_EXT, VkPhysicalDevicePipelineRobustnessPropertiesEXT, defaultRobustnessStorageBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES_EXT, VkPhysicalDevicePipelineRobustnessPropertiesEXT, defaultRobustnessUniformBuffers) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES_EXT, VkPhysicalDevicePipelineRobustnessPropertiesEXT, defaultRobustnessVertexInputs) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES_EXT, VkPhysicalDevicePipelineRobustnessPropertiesEXT, defaultRobustnessImages) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_PROPERTIES_QCOM, VkPhysicalDeviceImageProcessingPropertiesQCOM, maxWeightFilterPhases) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, supportedOutputGridSizes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, supportedHintGridSizes) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, hintSupported) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, costSupported) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, bidirectionalFlowSupported) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, globalFlowSupported) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, minWidth) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, minHeight) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, maxWidth) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, maxHeight) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPTICAL_FLOW_PROPERTIES_NV, VkPhysicalDeviceOpticalFlowPropertiesNV, maxNumRegionsOfInterest) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_PROPERTIES_ARM, VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM, shaderCoreMask) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_PROPERTIES_ARM, VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM, shaderCoreCount) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_PROPERTIES_ARM, VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM, shaderWarpsPerCore) \
  X(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_INVOCATION_REORDER_PROPERTIES_NV, VkPhysicalDeviceRayTracingInvocationReorderPropertiesNV, rayTracingInvocationReorderReorderingHint) \

#define VK_LIMITS(X) \
  X(maxImageDimension1D) \
  X(maxImageDimension2D) \
  X(maxImageDimension3D) \
  X(maxImageDimensionCube) \
  X(maxImageArrayLayers) \
  X(maxTexelBufferElements) \
  X(maxUniformBufferRange) \
  X(maxStorageBufferRange) \
  X(maxPushConstantsSize) \
  X(maxMemoryAllocationCount) \
  X(maxSamplerAllocationCount) \
  X(bufferImageGranularity) \
  X(sparseAddressSpaceSize) \
  X(maxBoundDescriptorSets) \
  X(maxPerStageDescriptorSamplers) \
  X(maxPerStageDescriptorUniformBuffers) \
  X(maxPerStageDescriptorStorageBuffers) \
  X(maxPerStageDescriptorSampledImages) \
  X(maxPerStageDescriptorStorageImages) \
  X(maxPerStageDescriptorInputAttachments) \
  X(maxPerStageResources) \
  X(maxDescriptorSetSamplers) \
  X(maxDescriptorSetUniformBuffers) \
  X(maxDescriptorSetUniformBuffersDynamic) \
  X(maxDescriptorSetStorageBuffers) \
  X(maxDescriptorSetStorageBuffersDynamic) \
  X(maxDescriptorSetSampledImages) \
  X(maxDescriptorSetStorageImages) \
  X(maxDescriptorSetInputAttachments) \
  X(maxVertexInputAttributes) \
  X(maxVertexInputBindings) \
  X(maxVertexInputAttributeOffset) \
  X(maxVertexInputBindingStride) \
  X(maxVertexOutputComponents) \
  X(maxTessellationGenerationLevel) \
  X(maxTessellationPatchSize) \
  X(maxTessellationControlPerVertexInputComponents) \
  X(maxTessellationControlPerVertexOutputComponents) \
  X(maxTessellationControlPerPatchOutputComponents) \
  X(maxTessellationControlTotalOutputComponents) \
  X(maxTessellationEvaluationInputComponents) \
  X(maxTessellationEvaluationOutputComponents) \
  X(maxGeometryShaderInvocations) \
  X(maxGeometryInputComponents) \
  X(maxGeometryOutputComponents) \
  X(maxGeometryOutputVertices) \
  X(maxGeometryTotalOutputComponents) \
  X(maxFragmentInputComponents) \
  X(maxFragmentOutputAttachments) \
  X(maxFragmentDualSrcAttachments) \
  X(maxFragmentCombinedOutputResources) \
  X(maxComputeSharedMemorySize) \
  X(maxComputeWorkGroupCount) \
  X(maxComputeWorkGroupInvocations) \
  X(maxComputeWorkGroupSize) \
  X(subPixelPrecisionBits) \
  X(subTexelPrecisionBits) \
  X(mipmapPrecisionBits) \
  X(maxDrawIndexedIndexValue) \
  X(maxDrawIndirectCount) \
  X(maxViewports) \
  X(maxViewportDimensions) \
  X(viewportSubPixelBits) \
  X(minMemoryMapAlignment) \
  X(minTexelBufferOffsetAlignment) \
  X(minUniformBufferOffsetAlignment) \
  X(minStorageBufferOffsetAlignment) \
  X(minTexelOffset) \
  X(maxTexelOffset) \
  X(minTexelGatherOffset) \
  X(maxTexelGatherOffset) \
  X(subPixelInterpolationOffsetBits) \
  X(maxFramebufferWidth) \
  X(maxFramebufferHeight) \
  X(maxFramebufferLayers) \
  X(framebufferColorSampleCounts) \
  X(framebufferDepthSampleCounts) \
  X(framebufferStencilSampleCounts) \
  X(framebufferNoAttachmentsSampleCounts) \
  X(maxColorAttachments) \
  X(sampledImageColorSampleCounts) \
  X(sampledImageIntegerSampleCounts) \
  X(sampledImageDepthSampleCounts) \
  X(sampledImageStencilSampleCounts) \
  X(storageImageSampleCounts) \
  X(maxSampleMaskWords) \
  X(timestampComputeAndGraphics) \
  X(maxClipDistances) \
  X(maxCullDistances) \
  X(maxCombinedClipAndCullDistances) \
  X(discreteQueuePriorities) \
  X(strictLines) \
  X(standardSampleLocations) \
  X(optimalBufferCopyOffsetAlignment) \
  X(optimalBufferCopyRowPitchAlignment) \
  X(nonCoherentAtomSize) \

