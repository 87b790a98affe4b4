/*
 * The comparison common to all kernels. The file that includes this defines
 *
 * vector                           the content of a register; may alias, aligned to
 *                                  DSM_PAGE_ALIGNMENT
 * TARGET                           the attribute of functions that use its instructions, or empty
 * is_none(vector)                  true if no bit is set
 * differing(now, before, granule)  a bit for each granule of two vectors that differ
 *
 * and names its kernel with DSM_DIFF_KERNEL.
 *
 * Other threads and processes store to the pages. Each byte is loaded once, by a volatile
 * load of a vector into a register. That register is compared, and its copy is sent. Such a
 * load need not be atomic, but each aligned granule in it must be. x86-64 and AArch64 load
 * an aligned word of 8 bytes atomically, and no machine known to us splits a vector within
 * such a word (decision 0033). So each granule has its value before or after any concurrent
 * store, and a later store is in the next diff. This also holds if the twin is kept,
 * because the same register is copied into it.
 */
#ifndef DSM_DIFF_COMPARE_H
#define DSM_DIFF_COMPARE_H

#include "diff_encode.h"

#define VECTOR_BYTES ((uint32_t)sizeof(vector))
#define BLOCK_VECTORS (DSM_BLOCK_BYTES / VECTOR_BYTES)
#ifndef STEP_BLOCKS
#define STEP_BLOCKS 4
#endif
#define STEP_BYTES (STEP_BLOCKS * DSM_BLOCK_BYTES)
#define STEP_VECTORS (STEP_BYTES / VECTOR_BYTES)

/*
 * Compares and encodes `vectors` vectors, a constant up to STEP_VECTORS. `kept` is the
 * twin, which is set to the compared content, or NULL. Returns 0 or -ENOSPC.
 */
DSM_INLINE TARGET int diff_step(struct dsm_encoder *encoder, const uint8_t *page,
				const uint8_t *twin, uint8_t *kept, uint32_t at, uint32_t vectors,
				uint32_t granule, uint8_t *now)
{
	uint32_t per_vector = VECTOR_BYTES / granule;
	uint32_t most = DSM_WINDOW_GRANULES / per_vector;
	uint32_t per_window = most < vectors ? most : vectors; /* vectors */
	vector block[STEP_VECTORS];
	vector difference = { 0 };

	page += at;
	twin += at;
#pragma GCC unroll 16
	for (uint32_t i = 0; i < vectors; i++) {
		block[i] = *(const volatile vector *)(const void *)(page + i * VECTOR_BYTES);
		difference |= block[i] ^ *(const vector *)(const void *)(twin + i * VECTOR_BYTES);
	}
	if (is_none(difference))
		return 0;
#pragma GCC unroll 16
	for (uint32_t i = 0; i < vectors; i++)
		memcpy(now + i * VECTOR_BYTES, &block[i], VECTOR_BYTES);
#pragma GCC unroll 16
	for (uint32_t window = 0; window < vectors; window += per_window) {
		uint64_t mask = 0;
		int ret;

#pragma GCC unroll 16
		for (uint32_t i = 0; i < per_window; i++) {
			const uint8_t *before = twin + (window + i) * VECTOR_BYTES;

			mask |= differing(block[window + i],
					  *(const vector *)(const void *)before, granule)
				<< i * per_vector;
		}
		ret = dsm_encode_window(encoder, (at + window * VECTOR_BYTES) / granule, mask,
					now + window * VECTOR_BYTES, granule);
		if (ret < 0)
			return ret;
	}
	if (kept == NULL)
		return 0;
#pragma GCC unroll 16
	for (uint32_t i = 0; i < vectors; i++)
		*(vector *)(void *)(kept + at + i * VECTOR_BYTES) = block[i];
	return 0;
}

DSM_INLINE TARGET int64_t diff_granules(const uint8_t *page, const uint8_t *twin, uint8_t *kept,
					uint32_t bytes, uint32_t granule, uint8_t *out,
					uint32_t capacity)
{
	struct dsm_encoder encoder = { .out = out, .capacity = capacity };
	uint8_t now[STEP_BYTES + DSM_COPY_BYTES] __attribute__((aligned(DSM_BLOCK_BYTES)));
	uint32_t at = 0;
	int ret = 0;

	memset(now + STEP_BYTES, 0, DSM_COPY_BYTES);
	for (; ret == 0 && bytes - at >= STEP_BYTES; at += STEP_BYTES)
		ret = diff_step(&encoder, page, twin, kept, at, STEP_VECTORS, granule, now);
	for (; ret == 0 && at < bytes; at += DSM_BLOCK_BYTES)
		ret = diff_step(&encoder, page, twin, kept, at, BLOCK_VECTORS, granule, now);
	return ret < 0 ? ret : (int64_t)((uint64_t)encoder.changed << 32 | encoder.length);
}

static TARGET int64_t diff(const uint8_t *page, const uint8_t *twin, uint32_t bytes,
			   uint32_t granule, uint8_t *out, uint32_t capacity)
{
	switch (granule) {
	case 1:
		return diff_granules(page, twin, NULL, bytes, 1, out, capacity);
	case 2:
		return diff_granules(page, twin, NULL, bytes, 2, out, capacity);
	case 4:
		return diff_granules(page, twin, NULL, bytes, 4, out, capacity);
	default:
		return diff_granules(page, twin, NULL, bytes, 8, out, capacity);
	}
}

static TARGET int64_t diff_keep(const uint8_t *page, uint8_t *twin, uint32_t bytes,
				uint32_t granule, uint8_t *out, uint32_t capacity)
{
	switch (granule) {
	case 1:
		return diff_granules(page, twin, twin, bytes, 1, out, capacity);
	case 2:
		return diff_granules(page, twin, twin, bytes, 2, out, capacity);
	case 4:
		return diff_granules(page, twin, twin, bytes, 4, out, capacity);
	default:
		return diff_granules(page, twin, twin, bytes, 8, out, capacity);
	}
}

static TARGET int is_zero(const uint8_t *page, uint64_t bytes)
{
	for (uint64_t at = 0; at < bytes; at += DSM_BLOCK_BYTES) {
		vector bits = { 0 };

#pragma GCC unroll 16
		for (uint32_t i = 0; i < BLOCK_VECTORS; i++)
			bits |= *(const vector *)(const void *)(page + at + i * VECTOR_BYTES);
		if (!is_none(bits))
			return 0;
	}
	return 1;
}

#define DSM_DIFF_KERNEL(name)                  \
	const struct dsm_diff_kernel name = {  \
		.diff = diff,                  \
		.diff_keep = diff_keep,        \
		.is_zero = is_zero,            \
	}

#endif
