package ptx

import "strings"

// specials are the special registers by the part of their name before a dot or a number (PTX ISA, "Special
// Registers").
var specials = map[string]bool{
	"%tid": true, "%ntid": true, "%ctaid": true, "%nctaid": true, "%laneid": true, "%warpid": true,
	"%nwarpid": true, "%smid": true, "%nsmid": true, "%gridid": true, "%is_explicit_cluster": true,
	"%clusterid": true, "%nclusterid": true, "%cluster_ctaid": true, "%cluster_nctaid": true,
	"%cluster_ctarank": true, "%cluster_nctarank": true, "%lanemask_eq": true, "%lanemask_le": true,
	"%lanemask_lt": true, "%lanemask_ge": true, "%lanemask_gt": true, "%clock": true, "%clock_hi": true,
	"%pm": true, "%envreg": true, "%globaltimer": true, "%globaltimer_lo": true,
	"%globaltimer_hi": true, "%reserved_smem_offset_begin": true, "%reserved_smem_offset_end": true,
	"%reserved_smem_offset_cap": true, "%reserved_smem_offset_": true, "%total_smem_size": true,
	"%aggr_smem_size": true, "%dynamic_smem_size": true, "%current_graph_exec": true,
}

func isSpecial(name string) bool {
	name, part, dotted := strings.Cut(name, ".")
	if dotted && (len(part) != 1 || !strings.Contains("xyzw", part)) {
		return false
	}
	return specials[name] || specials[strings.TrimRight(strings.TrimSuffix(name, "_64"), "0123456789")]
}
