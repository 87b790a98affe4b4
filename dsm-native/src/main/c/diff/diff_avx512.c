/*
 * Comparison with AVX-512 (F and BW): vectors of 64 bytes, and comparisons that produce bit
 * masks.
 */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx512f,avx512bw,bmi,bmi2,popcnt")))

typedef long long vector __attribute__((vector_size(64), may_alias, aligned(16)));

static inline __attribute__((always_inline)) TARGET int is_none(vector bits)
{
	return _mm512_test_epi64_mask((__m512i)bits, (__m512i)bits) == 0;
}

static inline __attribute__((always_inline)) TARGET uint64_t differing(vector now, vector before,
								       uint32_t granule)
{
	__m512i a = (__m512i)now;
	__m512i b = (__m512i)before;

	switch (granule) {
	case 1:
		return _mm512_cmpneq_epi8_mask(a, b);
	case 2:
		return _mm512_cmpneq_epi16_mask(a, b);
	case 4:
		return _mm512_cmpneq_epi32_mask(a, b);
	default:
		return _mm512_cmpneq_epi64_mask(a, b);
	}
}

#include "diff_compare.h"

DSM_DIFF_KERNEL(dsm_kernel_avx512);
#endif
