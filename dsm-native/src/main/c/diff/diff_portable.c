/*
 * Comparison without special instructions: the compiler's vectors of 16 bytes, for the
 * architecture's baseline instruction set.
 */
#include <stdint.h>

#define TARGET
#define STEP_BLOCKS 1

typedef uint64_t vector __attribute__((vector_size(16), may_alias, aligned(16)));

static inline __attribute__((always_inline)) int is_none(vector bits)
{
	return (bits[0] | bits[1]) == 0;
}

/*
 * A bit for each nonzero granule of a word: the addition carries into a granule's highest
 * bit unless all other bits are zero, and the multiplication gathers those bits.
 */
static inline __attribute__((always_inline)) uint64_t nonzero(uint64_t word, uint32_t granule)
{
	const uint64_t lower1 = UINT64_C(0x7f7f7f7f7f7f7f7f);
	const uint64_t lower2 = UINT64_C(0x7fff7fff7fff7fff);

	switch (granule) {
	case 1:
		word = (((word & lower1) + lower1) | word) & ~lower1;
		return (word >> 7) * UINT64_C(0x0102040810204080) >> 56;
	case 2:
		word = (((word & lower2) + lower2) | word) & ~lower2;
		return (word >> 15) * UINT64_C(0x0001000200040008) >> 48 & 15;
	case 4:
		return (uint64_t)((uint32_t)word != 0) | (uint64_t)(word >> 32 != 0) << 1;
	default:
		return word != 0;
	}
}

static inline __attribute__((always_inline)) uint64_t differing(vector now, vector before,
								uint32_t granule)
{
	vector difference = now ^ before;

	return nonzero(difference[0], granule) | nonzero(difference[1], granule) << 8 / granule;
}

#include "diff_compare.h"

DSM_DIFF_KERNEL(dsm_kernel_portable);
