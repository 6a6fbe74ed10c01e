// calls: a chain of functions that are never inlined, three deep, with a
// struct that goes down by pointer (and is changed there), one that goes down
// by value, and one that comes back by value.
#include "gpu.h"

struct Particle {
  float x, y;
  float vx, vy;
  int hits;
};

struct Box {
  float width, height;
  float gravity;
};

struct Energy {
  float kinetic, potential;
};

// bounce keeps a coordinate within [0, limit] and reports whether it hit.
__device__ NOINLINE int bounce(float *position, float *velocity, float limit) {
  float before = *position;
  if (before < 0.0f) {
    *position = -before;
    *velocity = -*velocity;
    return 1;
  }
  if (before > limit) {
    *position = limit - (before - limit);
    *velocity = -*velocity;
    return 1;
  }
  return 0;
}

// advance moves one particle by dt: a struct by pointer and one by value.
__device__ NOINLINE void advance(Particle *p, Box box, float dt) {
  p->vy -= box.gravity * dt;
  p->x += p->vx * dt;
  p->y += p->vy * dt;
  int hits_x = bounce(&p->x, &p->vx, box.width);
  int hits_y = bounce(&p->y, &p->vy, box.height);
  p->hits += hits_x + hits_y;
}

// energy_of takes the particle by value and returns a struct.
__device__ NOINLINE Energy energy_of(Particle p, Box box) {
  Energy e;
  e.kinetic = 0.5f * (p.vx * p.vx + p.vy * p.vy);
  e.potential = box.gravity * p.y;
  return e;
}

// simulate is the outermost call: it runs the rounds of one particle.
__device__ NOINLINE float simulate(Particle *p, Box box, int rounds) {
  float total = 0.0f;
  for (int round = 0; round < rounds; round++) {
    advance(p, box, 0.125f);
    Energy e = energy_of(*p, box);
    total += e.kinetic + e.potential;
  }
  return total;
}

KERNEL calls(Particle *particles, float *energies, Box box, int n) {
  int id = GLOBAL_X;
  if (id >= n)
    return;
  Particle mine = particles[id];
  int rounds = 1 + id % 5;
  float energy = simulate(&mine, box, rounds);
  particles[id] = mine;
  energies[id] = energy;
}
