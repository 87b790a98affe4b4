/* Comparison with NEON, which every AArch64 has: vectors of 16 bytes. */
#if defined(__aarch64__)
#include <arm_neon.h>
#include <stdint.h>

#define TARGET

typedef uint64_t vector __attribute__((vector_size(16), may_alias, aligned(16)));

static inline __attribute__((always_inline)) int is_none(vector bits)
{
	return (bits[0] | bits[1]) == 0;
}

/* Each differing lane keeps a distinct bit; the sum of the lanes has all of them. */
static inline __attribute__((always_inline)) uint64_t differing(vector now, vector before,
								uint32_t granule)
{
	static const uint8_t bits8[16] = { 1, 2, 4, 8, 16, 32, 64, 128,
					   1, 2, 4, 8, 16, 32, 64, 128 };
	static const uint16_t bits16[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	static const uint32_t bits32[4] = { 1, 2, 4, 8 };
	vector difference = now ^ before;

	switch (granule) {
	case 1: {
		uint8x16_t lanes = vreinterpretq_u8_u64((uint64x2_t)difference);

		lanes = vandq_u8(vtstq_u8(lanes, lanes), vld1q_u8(bits8));
		return vaddv_u8(vget_low_u8(lanes)) |
		       (uint64_t)vaddv_u8(vget_high_u8(lanes)) << 8;
	}
	case 2: {
		uint16x8_t lanes = vreinterpretq_u16_u64((uint64x2_t)difference);

		return vaddvq_u16(vandq_u16(vtstq_u16(lanes, lanes), vld1q_u16(bits16)));
	}
	case 4: {
		uint32x4_t lanes = vreinterpretq_u32_u64((uint64x2_t)difference);

		return vaddvq_u32(vandq_u32(vtstq_u32(lanes, lanes), vld1q_u32(bits32)));
	}
	default:
		return (uint64_t)(difference[0] != 0) | (uint64_t)(difference[1] != 0) << 1;
	}
}

#include "diff_compare.h"

DSM_DIFF_KERNEL(dsm_kernel_neon);
#endif
