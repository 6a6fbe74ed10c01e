#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer B { int8_t b[64]; uint16_t h[64]; int64_t l[64]; double d[64]; float16_t f[64]; } x;
layout(set = 0, binding = 1) buffer Out { uint64_t r[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    int8_t b = x.b[i];
    uint16_t h = x.h[i];
    int64_t l = x.l[i];
    double d = x.d[i];
    float16_t f = x.f[i];
    uint o = i * 8u;
    r[o] = uint64_t(int64_t(int8_t(b * int8_t(3) + int8_t(100))));
    r[o + 1u] = uint64_t(uint16_t(h * h + uint16_t(7)) >> 3);
    r[o + 2u] = uint64_t(l / 1000l * int64_t(b) + (l >> 7));
    r[o + 3u] = doubleBitsToUint64(d * 3.0lf + sqrt(abs(d)) - double(l));
    float16_t g = f * f + float16_t(1.5);
    r[o + 4u] = uint64_t(float16BitsToUint16(g));
    r[o + 5u] = packUint2x32(uvec2(uint(h), uint(b))) ^ uint64_t(float16BitsToUint16(f / float16_t(3.0)));
    r[o + 6u] = uint64_t(int64_t(float(d) * 0.5f)) + uint64_t(d < double(f));
    x.b[i] = int8_t(i) - b;
    x.h[i] = uint16_t(h + uint16_t(i));
    x.f[i] = -f;
    r[o + 7u] = uint64_t(dvec2(d, 1.0lf).yx == dvec2(1.0lf, d)) + uint64_t(l < 0l) * 2ul;
}
