#version 450
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const int COUNT = 5;
layout(constant_id = 3) const float SCALE = 1.5;
layout(constant_id = 4) const bool FLIP = false;
const int TWICE = COUNT * 2 + 1;
layout(set = 0, binding = 0) buffer Out { float r[]; };
void main() {
    float t[TWICE];
    for (int k = 0; k < TWICE; k++) {
        t[FLIP ? TWICE - 1 - k : k] = float(k) * SCALE;
    }
    float s = 0.0;
    for (int k = 0; k < t.length(); k++) {
        s += t[k] * float(k + 1);
    }
    uint i = gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
    r[i] = s + float(gl_WorkGroupSize.x * 100u + gl_WorkGroupSize.y);
}
