/* Comparison with AVX2: vectors of 32 bytes. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

typedef long long vector __attribute__((vector_size(32), may_alias, aligned(16)));

static inline __attribute__((always_inline)) TARGET int is_none(vector bits)
{
	return _mm256_testz_si256((__m256i)bits, (__m256i)bits);
}

static inline __attribute__((always_inline)) TARGET uint64_t differing(vector now, vector before,
								       uint32_t granule)
{
	__m256i a = (__m256i)now;
	__m256i b = (__m256i)before;
	__m256i narrow;
	uint32_t alike;

	switch (granule) {
	case 1:
		return (uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b));
	case 2: /* 8 bits of each half */
		narrow = _mm256_packs_epi16(_mm256_cmpeq_epi16(a, b), _mm256_setzero_si256());
		alike = (uint32_t)_mm256_movemask_epi8(narrow);
		return (uint16_t)~((alike & 0xff) | alike >> 8);
	case 4:
		return (uint8_t)~_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)));
	default:
		return 15 & ~(uint32_t)_mm256_movemask_pd(
				    _mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b)));
	}
}

#include "diff_compare.h"

DSM_DIFF_KERNEL(dsm_kernel_avx2);
#endif
