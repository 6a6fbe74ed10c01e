; What LLPC's lowering of tables.comp leaves. s0 is the global table, s1 and s2
; point at the counts of workgroups, s3 to s6 are user data entries 0 to 3, s7
; is the per-shader table, s8 the spill table.
source_filename = "tables.comp"
target triple = "amdgcn--amdpal"

@weights = internal unnamed_addr addrspace(4) constant [4 x i32] [i32 1, i32 10, i32 100, i32 1000], align 4
@parts = internal addrspace(3) global [64 x i32] poison, align 4

define dllexport amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %globalTable, ptr addrspace(4) inreg noundef %numWorkgroupsPtr, i32 inreg noundef %userdata0, i32 inreg noundef %scale, float inreg noundef %bias, i32 inreg noundef %userdata3, i32 inreg noundef %perShaderTable, i32 inreg noundef %spillTable, <3 x i32> inreg noundef %WorkgroupId, i32 inreg noundef %MultiDispatchInfo, <3 x i32> noundef %LocalInvocationId) #0 !dbg !10 {
.entry:
  %pc = call i64 @llvm.amdgcn.s.getpc(), !dbg !30
  %high = and i64 %pc, -4294967296, !dbg !30
  %low.set = zext i32 %userdata0 to i64, !dbg !30
  %set = or i64 %high, %low.set, !dbg !30
  %set.table = inttoptr i64 %set to ptr addrspace(4), !dbg !30
  %low.printf = zext i32 %userdata3 to i64, !dbg !30
  %printf = or i64 %high, %low.printf, !dbg !30
  %printf.table = inttoptr i64 %printf to ptr addrspace(4), !dbg !30
  %low.spill = zext i32 %spillTable to i64, !dbg !30
  %spill = or i64 %high, %low.spill, !dbg !30
  %spill.table = inttoptr i64 %spill to ptr addrspace(4), !dbg !30
  %limit.address = getelementptr i8, ptr addrspace(4) %spill.table, i64 16, !dbg !30
  %limit = load i32, ptr addrspace(4) %limit.address, align 4, !dbg !30, !invariant.load !1
  %group = extractelement <3 x i32> %WorkgroupId, i64 0, !dbg !30
  %local = extractelement <3 x i32> %LocalInvocationId, i64 0
  %first = shl i32 %group, 6, !dbg !30
  %id = add i32 %first, %local, !dbg !30
    #dbg_value(i32 %id, !20, !DIExpression(), !30)
  %in.descriptor = load ptr addrspace(8), ptr addrspace(4) %set.table, align 16, !dbg !31, !invariant.load !1
  %in = addrspacecast ptr addrspace(8) %in.descriptor to ptr addrspace(7), !dbg !31
  %in.element = getelementptr i32, ptr addrspace(7) %in, i32 %id, !dbg !31
  %loaded = load i32, ptr addrspace(7) %in.element, align 4, !dbg !31
  %value = mul i32 %loaded, %scale, !dbg !31
    #dbg_value(i32 %value, !21, !DIExpression(), !31)
  %part = getelementptr [64 x i32], ptr addrspace(3) @parts, i32 0, i32 %local, !dbg !32
  store i32 %value, ptr addrspace(3) %part, align 4, !dbg !32
  fence syncscope("workgroup") release, !dbg !33
  call void @llvm.amdgcn.s.barrier(), !dbg !33
  fence syncscope("workgroup") acquire, !dbg !33
  %mirror = sub i32 63, %local, !dbg !34
  %other.part = getelementptr [64 x i32], ptr addrspace(3) @parts, i32 0, i32 %mirror, !dbg !34
  %other = load i32, ptr addrspace(3) %other.part, align 4, !dbg !34
    #dbg_value(i32 %other, !22, !DIExpression(), !34)
  %low2 = and i32 %id, 3, !dbg !35
  %weight.address = getelementptr [4 x i32], ptr addrspace(4) @weights, i32 0, i32 %low2, !dbg !35
  %weight = load i32, ptr addrspace(4) %weight.address, align 4, !dbg !35
  %weighted = mul i32 %other, %weight, !dbg !35
    #dbg_value(i32 %weighted, !23, !DIExpression(), !35)
  %result = add i32 %value, %weighted, !dbg !36
  %out.address = getelementptr i8, ptr addrspace(4) %set.table, i64 16, !dbg !36
  %out.descriptor = load ptr addrspace(8), ptr addrspace(4) %out.address, align 16, !dbg !36, !invariant.load !1
  %out = addrspacecast ptr addrspace(8) %out.descriptor to ptr addrspace(7), !dbg !36
  %out.element = getelementptr i32, ptr addrspace(7) %out, i32 %id, !dbg !36
  store i32 %result, ptr addrspace(7) %out.element, align 4, !dbg !36
  %descriptor = load ptr addrspace(8), ptr addrspace(4) %printf.table, align 16, !dbg !37, !invariant.load !1
  %buffer = addrspacecast ptr addrspace(8) %descriptor to ptr addrspace(7), !dbg !37
  %over = icmp sgt i32 %value, %limit, !dbg !37
  br i1 %over, label %large, label %else, !dbg !37

large:
  %groups = load i32, ptr addrspace(4) %numWorkgroupsPtr, align 4, !dbg !38, !invariant.load !1
  %biasbits = bitcast float %bias to i32, !dbg !38
  %old0 = atomicrmw add ptr addrspace(7) %buffer, i64 8 monotonic, align 8, !dbg !38
  %min0 = call i64 @llvm.umin.i64(i64 %old0, i64 536870912), !dbg !38
  %trunc0 = trunc i64 %min0 to i32, !dbg !38
  %at00 = add i32 %trunc0, 4, !dbg !38
  %p00 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at00, !dbg !38
  store i32 1985216520, ptr addrspace(7) %p00, align 4, !dbg !38      ; 0x76540008
  %at01 = add i32 %at00, 1, !dbg !38
  %p01 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at01, !dbg !38
  store i32 -19088744, ptr addrspace(7) %p01, align 4, !dbg !38       ; 0xfedcba98
  %at02 = add i32 %at01, 1, !dbg !38
  %p02 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at02, !dbg !38
  store i32 %id, ptr addrspace(7) %p02, align 4, !dbg !38
  %at03 = add i32 %at02, 1, !dbg !38
  %p03 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at03, !dbg !38
  store i32 %group, ptr addrspace(7) %p03, align 4, !dbg !38
  %at04 = add i32 %at03, 1, !dbg !38
  %p04 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at04, !dbg !38
  store i32 %groups, ptr addrspace(7) %p04, align 4, !dbg !38
  %at05 = add i32 %at04, 1, !dbg !38
  %p05 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at05, !dbg !38
  store i32 %value, ptr addrspace(7) %p05, align 4, !dbg !38
  %at06 = add i32 %at05, 1, !dbg !38
  %p06 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at06, !dbg !38
  store i32 %limit, ptr addrspace(7) %p06, align 4, !dbg !38
  %at07 = add i32 %at06, 1, !dbg !38
  %p07 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at07, !dbg !38
  store i32 %biasbits, ptr addrspace(7) %p07, align 4, !dbg !38
  br label %exit, !dbg !40

else:
  %low3 = and i32 %id, 7, !dbg !39
  %three = icmp eq i32 %low3, 3, !dbg !39
  br i1 %three, label %small, label %exit, !dbg !39

small:
  %old1 = atomicrmw add ptr addrspace(7) %buffer, i64 3 monotonic, align 8, !dbg !41
  %min1 = call i64 @llvm.umin.i64(i64 %old1, i64 536870912), !dbg !41
  %trunc1 = trunc i64 %min1 to i32, !dbg !41
  %at10 = add i32 %trunc1, 4, !dbg !41
  %p10 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at10, !dbg !41
  store i32 65539, ptr addrspace(7) %p10, align 4, !dbg !41           ; 0x00010003
  %at11 = add i32 %at10, 1, !dbg !41
  %p11 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at11, !dbg !41
  store i32 51966, ptr addrspace(7) %p11, align 4, !dbg !41           ; 0x0000cafe
  %at12 = add i32 %at11, 1, !dbg !41
  %p12 = getelementptr i32, ptr addrspace(7) %buffer, i32 %at12, !dbg !41
  store i32 %value, ptr addrspace(7) %p12, align 4, !dbg !41
  br label %exit, !dbg !40

exit:
  ret void, !dbg !40
}

declare i64 @llvm.amdgcn.s.getpc()
declare void @llvm.amdgcn.s.barrier()
declare i64 @llvm.umin.i64(i64, i64)

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="64,64" "denormal-fp-math-f32"="preserve-sign" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!4, !5}
!1 = !{}
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "LLPC", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!3 = !DIFile(filename: "tables.comp", directory: ".")
!4 = !{i32 7, !"Dwarf Version", i32 5}
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIBasicType(name: "uint", size: 32, encoding: DW_ATE_unsigned)
!8 = !DISubroutineType(types: !9)
!9 = !{null}
!10 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 10, type: !8, scopeLine: 11, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !11)
!11 = !{!20, !21, !22, !23}
!20 = !DILocalVariable(name: "id", scope: !10, file: !3, line: 12, type: !7)
!21 = !DILocalVariable(name: "value", scope: !10, file: !3, line: 13, type: !6)
!22 = !DILocalVariable(name: "other", scope: !10, file: !3, line: 16, type: !6)
!23 = !DILocalVariable(name: "weighted", scope: !10, file: !3, line: 17, type: !6)
!30 = !DILocation(line: 12, column: 15, scope: !10)
!31 = !DILocation(line: 13, column: 17, scope: !10)
!32 = !DILocation(line: 14, column: 35, scope: !10)
!33 = !DILocation(line: 15, column: 5, scope: !10)
!34 = !DILocation(line: 16, column: 17, scope: !10)
!35 = !DILocation(line: 17, column: 20, scope: !10)
!36 = !DILocation(line: 18, column: 17, scope: !10)
!37 = !DILocation(line: 19, column: 9, scope: !10)
!38 = !DILocation(line: 20, column: 9, scope: !10)
!39 = !DILocation(line: 22, column: 14, scope: !10)
!40 = !DILocation(line: 24, column: 1, scope: !10)
!41 = !DILocation(line: 23, column: 9, scope: !10)
