// Package texel knows pictures: how the texels of a format lie in memory and what numbers they are, where a
// texel of an image is, and which texels a sampler takes with which weights. It follows Vulkan 1.3 ("Image
// Operations", "Formats") and, where that leaves something to the implementation, is exact: weights are not
// the fixed-point ones of hardware.
//
// The package reads no memory by itself and knows no machine: it says where texels are ([Image.Offset],
// [Sampler.Taps]), and makes numbers of their bytes ([Format.Decode]) and bytes of numbers ([Format.Encode]).
// Machines access memory themselves, by their own rules, so that whoever observes accesses sees those of
// images too; an [Op] is an instruction in all lanes of a wave, over a machine's [Memory].
//
// What a machine is given of an image, and of a sampler, is a block of bytes in memory: [ReadImage],
// [ReadSampler].
package texel
