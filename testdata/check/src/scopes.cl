// A work-item hands a number over by a flag, to others of its workgroup in local memory, or to another
// workgroup in a buffer: kernels with a defect in orders, scopes and fences, beside ones that have them
// right. Marks are those of defects.cl.

#define CALL(what, p, v, order, scope) \
  atomic_##what##_explicit((volatile atomic_int *)(p), v, memory_order_##order, memory_scope_##scope)
#define STORE(p, v, order, scope) CALL(store, p, v, order, scope)
#define LOAD(p, order, scope) \
  atomic_load_explicit((volatile atomic_int *)(p), memory_order_##order, memory_scope_##scope)

// Gives what is there, since that is no 7.
#define COMPARED(p, seven, order)                                                                            \
  (atomic_compare_exchange_strong_explicit((volatile atomic_int *)(p), &seven, 8, memory_order_##order,     \
                                           memory_order_##order, memory_scope_device),                      \
   seven)

// A release and an acquire.
__kernel void device_ok(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3;
    STORE(flag, 1, release, device);
  } else {
    while (LOAD(flag, acquire, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0];
  }
}

// The strongest order.
__kernel void strong_ok(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3;
    STORE(flag, 1, seq_cst, device);
  } else {
    while (LOAD(flag, seq_cst, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0];
  }
}

// Neither releases nor acquires.
__kernel void relaxed_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // relaxed_race other
    STORE(flag, 1, relaxed, device);
  } else {
    while (LOAD(flag, relaxed, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // relaxed_race
  }
}

// Only an acquire.
__kernel void unreleased_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // unreleased_race other
    STORE(flag, 1, relaxed, device);
  } else {
    while (LOAD(flag, acquire, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // unreleased_race
  }
}

// Only a release.
__kernel void unacquired_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // unacquired_race other
    STORE(flag, 1, release, device);
  } else {
    while (LOAD(flag, relaxed, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // unacquired_race
  }
}

// Both are for the workgroup alone, and the two are of different ones.
__kernel void narrow_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // narrow_race other
    STORE(flag, 1, release, work_group);
  } else {
    while (LOAD(flag, acquire, work_group) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // narrow_race
  }
}

// One of them is.
__kernel void narrowrelease_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // narrowrelease_race other
    STORE(flag, 1, release, work_group);
  } else {
    while (LOAD(flag, acquire, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // narrowrelease_race
  }
}

// The other is.
__kernel void narrowacquire_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // narrowacquire_race other
    STORE(flag, 1, release, device);
  } else {
    while (LOAD(flag, acquire, work_group) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // narrowacquire_race
  }
}

// Fences beside relaxed accesses.
__kernel void fence_ok(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    STORE(flag, 1, relaxed, device);
  } else {
    while (LOAD(flag, relaxed, device) == 0)
      ;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[get_group_id(0) + 1] = out[0];
  }
}

// One fence is for the workgroup.
__kernel void fencenarrow_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // fencenarrow_race other
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    STORE(flag, 1, relaxed, device);
  } else {
    while (LOAD(flag, relaxed, device) == 0)
      ;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[get_group_id(0) + 1] = out[0]; // fencenarrow_race
  }
}

// A fence behind the flag.
__kernel void fencelate_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // fencelate_race other
    STORE(flag, 1, relaxed, device);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
  } else {
    while (LOAD(flag, relaxed, device) == 0)
      ;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[get_group_id(0) + 1] = out[0]; // fencelate_race
  }
}

// Fences for local memory order nothing in buffers.
__kernel void fencelocal_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // fencelocal_race other
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_device);
    STORE(flag, 1, relaxed, device);
  } else {
    while (LOAD(flag, relaxed, device) == 0)
      ;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[get_group_id(0) + 1] = out[0]; // fencelocal_race
  }
}

// Who waits has no fence.
__kernel void onefence_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // onefence_race other
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    STORE(flag, 1, relaxed, device);
  } else {
    while (LOAD(flag, relaxed, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // onefence_race
  }
}

// Additions release and acquire.
__kernel void added_ok(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3;
    CALL(fetch_add, flag, 1, release, device);
  } else {
    while (CALL(fetch_add, flag, 0, acquire, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0];
  }
}

// They do not.
__kernel void added_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // added_race other
    CALL(fetch_add, flag, 1, relaxed, device);
  } else {
    while (CALL(fetch_add, flag, 0, relaxed, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // added_race
  }
}

// Who hands over acquires, who waits releases.
__kernel void wrongway_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // wrongway_race other
    CALL(fetch_add, flag, 1, acquire, device);
  } else {
    while (CALL(fetch_add, flag, 0, release, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // wrongway_race
  }
}

// A comparison that fails acquires what it has read.
__kernel void failed_ok(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  int seven = 7;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3;
    STORE(flag, 1, release, device);
  } else {
    while (COMPARED(flag, seven, acquire) == 0)
      seven = 7;
    out[get_group_id(0) + 1] = out[0];
  }
}

// It does not if it is relaxed.
__kernel void failed_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  int seven = 7;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // failed_race other
    STORE(flag, 1, release, device);
  } else {
    while (COMPARED(flag, seven, relaxed) == 0)
      seven = 7;
    out[get_group_id(0) + 1] = out[0]; // failed_race
  }
}

// What adds to the flag passes on what was released.
__kernel void chain_ok(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3;
    STORE(flag, 1, release, device);
    CALL(fetch_add, flag, 1, relaxed, device);
  } else {
    while (LOAD(flag, acquire, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0];
  }
}

// Another place was released, and the flag was not.
__kernel void stray_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // stray_race other
    STORE(flag + 2, 1, release, device);
    STORE(flag, 1, relaxed, device);
  } else {
    while (LOAD(flag, acquire, device) == 0)
      ;
    out[get_group_id(0) + 1] = out[0]; // stray_race
  }
}

// Another place is acquired.
__kernel void astray_race(__global const int *in, __global int *out) {
  __global int *flag = out + 256;
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    out[0] = in[4] + 3; // astray_race other
    STORE(flag, 1, release, device);
  } else {
    while (LOAD(flag, relaxed, device) == 0)
      ;
    LOAD(flag + 2, acquire, device);
    out[get_group_id(0) + 1] = out[0]; // astray_race
  }
}

// Within a workgroup its scope suffices.
__kernel void group_ok(__global const int *in, __global int *out) {
  __local int data, set;
  __local int *flag = &set;
  if (get_local_id(0) == 0)
    set = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    data = in[4] + 3;
    STORE(flag, 1, release, work_group);
  } else if (get_local_id(0) == 64) {
    while (LOAD(flag, acquire, work_group) == 0)
      ;
    out[get_group_id(0) + 1] = data;
  }
}

// But not relaxed accesses.
__kernel void grouprelaxed_race(__global const int *in, __global int *out) {
  __local int data, set;
  __local int *flag = &set;
  if (get_local_id(0) == 0)
    set = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    data = in[4] + 3; // grouprelaxed_race other
    STORE(flag, 1, relaxed, work_group);
  } else if (get_local_id(0) == 64) {
    while (LOAD(flag, relaxed, work_group) == 0)
      ;
    out[get_group_id(0) + 1] = data; // grouprelaxed_race
  }
}

// Fences for local memory order what is there.
__kernel void groupfence_ok(__global const int *in, __global int *out) {
  __local int data, set;
  __local int *flag = &set;
  if (get_local_id(0) == 0)
    set = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    data = in[4] + 3;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    STORE(flag, 1, relaxed, work_group);
  } else if (get_local_id(0) == 64) {
    while (LOAD(flag, relaxed, work_group) == 0)
      ;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
    out[get_group_id(0) + 1] = data;
  }
}

// Fences for global memory do not.
__kernel void groupfence_race(__global const int *in, __global int *out) {
  __local int data, set;
  __local int *flag = &set;
  if (get_local_id(0) == 0)
    set = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    data = in[4] + 3; // groupfence_race other
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    STORE(flag, 1, relaxed, work_group);
  } else if (get_local_id(0) == 64) {
    while (LOAD(flag, relaxed, work_group) == 0)
      ;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
    out[get_group_id(0) + 1] = data; // groupfence_race
  }
}

// Nor does a relaxed counter.
__kernel void groupcount_race(__global const int *in, __global int *out) {
  __local int data, set;
  __local int *flag = &set;
  if (get_local_id(0) == 0)
    set = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    data = in[4] + 3; // groupcount_race other
    CALL(fetch_add, flag, 1, relaxed, work_group);
  } else if (get_local_id(0) == 64) {
    while (CALL(fetch_add, flag, 0, relaxed, work_group) == 0)
      ;
    out[get_group_id(0) + 1] = data; // groupcount_race
  }
}
