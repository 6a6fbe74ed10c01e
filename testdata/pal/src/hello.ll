; What LLPC's lowering of hello.comp leaves: lgc.debug.printf as an atomic add
; at the start of the buffer and one store for each dword, the buffer's
; descriptor from the table that user data entry 0 points at. s0 is the entry's
; register, s1 to s3 the workgroup, s4 the dispatch information.
target triple = "amdgcn--amdpal"

define dllexport amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %userdata0, <3 x i32> inreg noundef %WorkgroupId, i32 inreg noundef %MultiDispatchInfo, <3 x i32> noundef %LocalInvocationId) #0 {
.entry:
  %pc = call i64 @llvm.amdgcn.s.getpc()
  %high = and i64 %pc, -4294967296
  %low = zext i32 %userdata0 to i64
  %address = or i64 %high, %low
  %table = inttoptr i64 %address to ptr addrspace(4)
  %descriptor = load ptr addrspace(8), ptr addrspace(4) %table, align 16, !invariant.load !0
  %buffer = addrspacecast ptr addrspace(8) %descriptor to ptr addrspace(7)
  %group = extractelement <3 x i32> %WorkgroupId, i64 0
  %local = extractelement <3 x i32> %LocalInvocationId, i64 0
  %first = shl i32 %group, 6
  %id = add i32 %first, %local
  %leads = icmp eq i32 %local, 0
  br i1 %leads, label %begins, label %second

begins:
  %old0 = atomicrmw add ptr addrspace(7) %buffer, i64 3 monotonic, align 8
  %min0 = call i64 @llvm.umin.i64(i64 %old0, i64 536870912)
  %trunc0 = trunc i64 %min0 to i32
  %at00 = add i32 %trunc0, 4
  %p00 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at00
  store i32 -1431830525, ptr addrspace(7) %p00, align 4       ; 0x4e5aaaa8 << 16 | 3, low: 0xaaa80003
  %at01 = add i32 %at00, 1
  %p01 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at01
  store i32 287526490, ptr addrspace(7) %p01, align 4         ; high: 0x11234e5a
  %at02 = add i32 %at01, 1
  %p02 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at02
  store i32 %group, ptr addrspace(7) %p02, align 4
  br label %second

second:
  %mod = and i32 %id, 15
  %five = icmp eq i32 %mod, 5
  br i1 %five, label %wide, label %third

wide:
  %int = sub i32 %id, 70
  %float = uitofp i32 %id to float
  %half = fmul float %float, 5.000000e-01
  %halfbits = bitcast float %half to i32
  %id64 = zext i32 %id to i64
  %shifted = shl i64 %id64, 33
  %double = uitofp i32 %id to double
  %third.value = fdiv double %double, 3.000000e+00
  %bits = bitcast double %third.value to i64
  %lo1 = trunc i64 %shifted to i32
  %up1 = lshr i64 %shifted, 32
  %hi1 = trunc i64 %up1 to i32
  %lo2 = trunc i64 %bits to i32
  %up2 = lshr i64 %bits, 32
  %hi2 = trunc i64 %up2 to i32
  %old1 = atomicrmw add ptr addrspace(7) %buffer, i64 8 monotonic, align 8
  %min1 = call i64 @llvm.umin.i64(i64 %old1, i64 536870912)
  %trunc1 = trunc i64 %min1 to i32
  %at10 = add i32 %trunc1, 4
  %p10 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at10
  store i32 1450573832, ptr addrspace(7) %p10, align 4        ; 0x56760008
  %at11 = add i32 %at10, 1
  %p11 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at11
  store i32 -1985229329, ptr addrspace(7) %p11, align 4       ; 0x89abcdef
  %at12 = add i32 %at11, 1
  %p12 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at12
  store i32 %int, ptr addrspace(7) %p12, align 4
  %at13 = add i32 %at12, 1
  %p13 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at13
  store i32 %halfbits, ptr addrspace(7) %p13, align 4
  %at14 = add i32 %at13, 1
  %p14 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at14
  store i32 %lo1, ptr addrspace(7) %p14, align 4
  %at15 = add i32 %at14, 1
  %p15 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at15
  store i32 %hi1, ptr addrspace(7) %p15, align 4
  %at16 = add i32 %at15, 1
  %p16 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at16
  store i32 %lo2, ptr addrspace(7) %p16, align 4
  %at17 = add i32 %at16, 1
  %p17 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at17
  store i32 %hi2, ptr addrspace(7) %p17, align 4
  br label %third

third:
  %hundred = icmp eq i32 %id, 100
  br i1 %hundred, label %empty, label %exit

empty:
  %old2 = atomicrmw add ptr addrspace(7) %buffer, i64 2 monotonic, align 8
  %min2 = call i64 @llvm.umin.i64(i64 %old2, i64 536870912)
  %trunc2 = trunc i64 %min2 to i32
  %at20 = add i32 %trunc2, 4
  %p20 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at20
  store i32 65538, ptr addrspace(7) %p20, align 4             ; 0x00010002
  %at21 = add i32 %at20, 1
  %p21 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at21
  store i32 0, ptr addrspace(7) %p21, align 4
  br label %exit

exit:
  ret void
}

declare i64 @llvm.amdgcn.s.getpc()
declare i64 @llvm.umin.i64(i64, i64)

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="64,64" "denormal-fp-math-f32"="preserve-sign" }

!0 = !{}
