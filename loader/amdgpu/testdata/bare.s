// Hand-written assembly: a kernel without metadata, code labels without sizes,
// and data with dynamic relocations, one against a symbol defined elsewhere.
  .amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
  .text
  .p2align 8
  .globl bare
  .type bare,@function
bare:
  s_nop 0
loop_head:
  s_nop 1
  s_branch loop_head
  s_endpgm
  .size local_label, 0
local_label:
  s_nop 2

  .data
  .p2align 3
  .globl pointers
pointers:
  .quad external
  .quad external+16
  .quad pointers
  .quad hidden
  .quad maybe
  .quad absolute
  .hidden hidden
  .globl hidden
hidden:
  .quad 42
  .globl absolute
  .set absolute, 0x1234
  .weak maybe

  .rodata
  .p2align 6
  .amdhsa_kernel bare
    .amdhsa_next_free_vgpr 12
    .amdhsa_next_free_sgpr 20
    .amdhsa_accum_offset 8
    .amdhsa_group_segment_fixed_size 512
    .amdhsa_private_segment_fixed_size 16
    .amdhsa_kernarg_size 24
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .end_amdhsa_kernel
