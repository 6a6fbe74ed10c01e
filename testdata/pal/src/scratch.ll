; What LLPC's lowering of scratch.comp leaves. s0 is the global table, from which
; the compiler's code takes the descriptor of private memory, s1 user data entry 0.
target triple = "amdgcn--amdpal"

define dllexport amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %globalTable, i32 inreg noundef %userdata0, <3 x i32> inreg noundef %WorkgroupId, i32 inreg noundef %MultiDispatchInfo, <3 x i32> noundef %LocalInvocationId) #0 {
.entry:
  %history = alloca [64 x i32], align 4, addrspace(5)
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
  br label %loop

loop:
  %i = phi i32 [ 0, %.entry ], [ %next, %loop ]
  %product = mul i32 %id, %i
  %element = getelementptr [64 x i32], ptr addrspace(5) %history, i32 0, i32 %i
  store i32 %product, ptr addrspace(5) %element, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %loop, label %done

done:
  %index = and i32 %id, 63
  %picked.element = getelementptr [64 x i32], ptr addrspace(5) %history, i32 0, i32 %index
  %picked = load i32, ptr addrspace(5) %picked.element, align 4
  %mod = and i32 %id, 31
  %last = icmp eq i32 %mod, 31
  br i1 %last, label %print, label %exit

print:
  %old0 = atomicrmw add ptr addrspace(7) %buffer, i64 4 monotonic, align 8
  %min0 = call i64 @llvm.umin.i64(i64 %old0, i64 536870912)
  %trunc0 = trunc i64 %min0 to i32
  %at00 = add i32 %trunc0, 4
  %p00 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at00
  store i32 131076, ptr addrspace(7) %p00, align 4            ; 0x00020004
  %at01 = add i32 %at00, 1
  %p01 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at01
  store i32 0, ptr addrspace(7) %p01, align 4
  %at02 = add i32 %at01, 1
  %p02 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at02
  store i32 %id, ptr addrspace(7) %p02, align 4
  %at03 = add i32 %at02, 1
  %p03 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at03
  store i32 %picked, ptr addrspace(7) %p03, align 4
  br label %exit

exit:
  ret void
}

declare i64 @llvm.amdgcn.s.getpc()
declare i64 @llvm.umin.i64(i64, i64)

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="64,64" "denormal-fp-math-f32"="preserve-sign" }

!0 = !{}
