/*
 * Encodes changed granules as runs; the part of all kernels that does not compare. A kernel
 * passes the windows of a page in order: up to 64 loaded granules, with a bit for each
 * changed one. A run that reaches the end of one window may continue in the next.
 */
#ifndef DSM_DIFF_ENCODE_H
#define DSM_DIFF_ENCODE_H

#include <errno.h>
#include <string.h>

#include "diff_kernel.h"

#define DSM_INLINE static inline __attribute__((always_inline))
#define DSM_WINDOW_GRANULES 64
#define DSM_RUN_GRANULES_MAX 65535
#define DSM_COPY_BYTES 32 /* copied at a time from a long run, possibly past its end */

/* Largest number of bytes that a window adds, including those that copying writes after them. */
#define DSM_WINDOW_DIFF_MAX(granule)                                              \
	(DSM_WINDOW_GRANULES / 2 * DSM_RUN_HEADER_BYTES + DSM_RUN_HEADER_BYTES + \
	 DSM_WINDOW_GRANULES * (granule) + DSM_COPY_BYTES)

typedef uint64_t dsm_word __attribute__((may_alias, aligned(1)));

struct dsm_encoder {
	uint8_t *out;
	uint32_t capacity;
	uint32_t length;
	uint32_t header; /* offset of the last run in `out` */
	uint32_t count; /* number of granules of the last run; 0: there is none */
	uint32_t next; /* the granule after the last run */
	uint32_t changed;
};

/* The index of the lowest set bit; 64 if there is none. */
DSM_INLINE uint32_t dsm_lowest(uint64_t bits)
{
	return bits == 0 ? 64 : (uint32_t)__builtin_ctzll(bits);
}

DSM_INLINE void dsm_put_header(const struct dsm_encoder *encoder, uint32_t skip, uint32_t count)
{
	uint32_t header = skip | count << 16;

	memcpy(encoder->out + encoder->header, &header, sizeof(header)); /* little-endian */
}

/*
 * Copies a run of a window. If there is room for a whole window, more bytes than the run
 * are written. Most runs end within the first two words. These are copied as words, hence
 * volatile: a vector load from `now` may span two recent stores and would wait for both.
 */
DSM_INLINE void dsm_copy_run(uint8_t *to, const uint8_t *from, uint32_t bytes, int roomy)
{
	const volatile dsm_word *words = (const void *)from;
	uint64_t first;
	uint64_t second;

	if (!roomy) {
		memcpy(to, from, bytes);
		return;
	}
	first = words[0];
	second = words[1];
	memcpy(to, &first, sizeof(first));
	memcpy(to + sizeof(first), &second, sizeof(second));
	if (bytes <= sizeof(first) + sizeof(second))
		return;
	for (uint32_t i = 0; i < bytes; i += DSM_COPY_BYTES)
		memcpy(to + i, from + i, DSM_COPY_BYTES);
}

/* Extends the last run by `count` granules. Returns 0 or -ENOSPC. */
DSM_INLINE int dsm_extend_run(struct dsm_encoder *encoder, const uint8_t *from, uint32_t count,
			      uint32_t granule, int roomy)
{
	uint32_t bytes = count * granule;
	uint16_t whole;

	if (!roomy && encoder->capacity - encoder->length < bytes)
		return -ENOSPC;
	dsm_copy_run(encoder->out + encoder->length, from, bytes, roomy);
	encoder->length += bytes;
	encoder->count += count;
	encoder->next += count;
	whole = (uint16_t)encoder->count;
	memcpy(encoder->out + encoder->header + 2, &whole, sizeof(whole));
	return 0;
}

/* Adds a new run from granule `first` on. Returns 0 or -ENOSPC. */
DSM_INLINE int dsm_add_run(struct dsm_encoder *encoder, uint32_t first, const uint8_t *from,
			   uint32_t count, uint32_t granule, int roomy)
{
	uint32_t bytes = count * granule;

	if (!roomy && encoder->capacity - encoder->length < DSM_RUN_HEADER_BYTES + bytes)
		return -ENOSPC;
	encoder->header = encoder->length;
	dsm_put_header(encoder, first - encoder->next, count);
	dsm_copy_run(encoder->out + encoder->length + DSM_RUN_HEADER_BYTES, from, bytes, roomy);
	encoder->length += DSM_RUN_HEADER_BYTES + bytes;
	encoder->count = count;
	encoder->next = first + count;
	return 0;
}

DSM_INLINE int dsm_encode_runs(struct dsm_encoder *encoder, uint32_t first, uint64_t mask,
			       const uint8_t *now, uint32_t granule, int roomy)
{
	uint64_t starts;
	uint64_t ends;

	if ((mask & 1) != 0 && encoder->count != 0 && encoder->next == first) {
		uint32_t count = dsm_lowest(~mask);
		int ret;

		if (count > DSM_RUN_GRANULES_MAX - encoder->count)
			count = DSM_RUN_GRANULES_MAX - encoder->count;
		ret = dsm_extend_run(encoder, now, count, granule, roomy);
		if (ret < 0)
			return ret;
		mask = count == 64 ? 0 : mask >> count << count;
	}
	/* Branches depend on the number of runs, not on their bits. */
	starts = mask & ~(mask << 1);
	ends = ~mask & mask << 1;
	while (starts != 0) {
		uint32_t start = dsm_lowest(starts);
		uint32_t end = dsm_lowest(ends);
		int ret = dsm_add_run(encoder, first + start, now + start * granule, end - start,
				      granule, roomy);

		if (ret < 0)
			return ret;
		starts &= starts - 1;
		ends &= ends - 1;
	}
	return 0;
}

/*
 * Encodes the granules from `first` on whose bits are set in `mask`; `now` holds the
 * window's bytes and DSM_COPY_BYTES arbitrary bytes after them. Returns 0 or -ENOSPC.
 */
DSM_INLINE int dsm_encode_window(struct dsm_encoder *encoder, uint32_t first, uint64_t mask,
				 const uint8_t *now, uint32_t granule)
{
	if (mask == 0)
		return 0;
	encoder->changed += (uint32_t)__builtin_popcountll(mask);
	if (encoder->capacity - encoder->length >= DSM_WINDOW_DIFF_MAX(granule))
		return dsm_encode_runs(encoder, first, mask, now, granule, 1);
	return dsm_encode_runs(encoder, first, mask, now, granule, 0);
}

#endif
