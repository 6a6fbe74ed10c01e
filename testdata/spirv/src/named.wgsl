struct Sizes { n: u32, scale: f32 }
@group(0) @binding(0) var<storage, read_write> values: array<f32>;
@group(0) @binding(1) var<uniform> sizes: Sizes;
fn larger(v: f32, k: u32) -> f32 {
    var r = v;
    r = r + f32(k);
    return r;
}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= sizes.n) { return; }
    values[id.x] = larger(values[id.x], id.x * 2u) * sizes.scale;
}
