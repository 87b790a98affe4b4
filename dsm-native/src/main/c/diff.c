/*
 * Twins, diffs and the scan for zeros. Pages are memory that other processes
 * store to: each granule of a page is read once, by a volatile load, so what is
 * compared is what is sent; and what is stored is exactly one granule at a time,
 * so a neighbour's store is never undone.
 */
#include <errno.h>
#include <string.h>

#include "engine.h"

#define BLOCK_BYTES 64
#define VECTOR_BYTES 16
#define BLOCK_VECTORS (BLOCK_BYTES / VECTOR_BYTES)
#define RUN_HEADER_BYTES 4
#define RUN_GRANULES_MAX 65535
#define INLINE static inline __attribute__((always_inline))

typedef uint64_t vector __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef uint16_t granule16 __attribute__((may_alias));
typedef uint32_t granule32 __attribute__((may_alias));
typedef uint64_t granule64 __attribute__((may_alias));

struct encoder {
	uint8_t *out;
	uint32_t capacity;
	uint32_t length;
	uint32_t header; /* where the open run begins in `out` */
	uint32_t count; /* granules in the open run; 0: none is open */
	uint32_t next; /* the granule behind the last one encoded */
	uint32_t changed;
};

static void put_u16(uint8_t *to, uint32_t value)
{
	uint16_t narrow = (uint16_t)value;

	memcpy(to, &narrow, sizeof(narrow));
}

static uint32_t get_u16(const uint8_t *from)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static int is_shape(uint32_t bytes, uint32_t granule)
{
	return bytes != 0 && bytes <= DSM_PAGE_BYTES_MAX && bytes % BLOCK_BYTES == 0 &&
	       (granule == 1 || granule == 2 || granule == 4 || granule == 8);
}

static void end_run(struct encoder *encoder)
{
	if (encoder->count != 0)
		put_u16(encoder->out + encoder->header + 2, encoder->count);
	encoder->count = 0;
}

INLINE int encode(struct encoder *encoder, uint32_t index, const uint8_t *value, uint32_t granule)
{
	if (encoder->count == 0 || index != encoder->next ||
	    encoder->count == RUN_GRANULES_MAX) {
		end_run(encoder);
		if (encoder->capacity - encoder->length < RUN_HEADER_BYTES + granule)
			return -ENOSPC;
		encoder->header = encoder->length;
		put_u16(encoder->out + encoder->length, index - encoder->next);
		encoder->length += RUN_HEADER_BYTES;
	} else if (encoder->capacity - encoder->length < granule) {
		return -ENOSPC;
	}
	memcpy(encoder->out + encoder->length, value, granule);
	encoder->length += granule;
	encoder->count++;
	encoder->changed++;
	encoder->next = index + 1;
	return 0;
}

/* Copies a block of the page, each byte loaded once, and tells whether the twin differs. */
INLINE int load_block(const uint8_t *page, const uint8_t *twin, vector block[BLOCK_VECTORS])
{
	vector difference = { 0 };

	for (uint32_t i = 0; i < BLOCK_VECTORS; i++) {
		vector before;

		block[i] = *(const volatile vector *)(const void *)(page + i * VECTOR_BYTES);
		memcpy(&before, twin + i * VECTOR_BYTES, sizeof(before));
		difference |= block[i] ^ before;
	}
	return (difference[0] | difference[1]) != 0;
}

INLINE int diff_granules(struct encoder *encoder, const uint8_t *page, const uint8_t *twin,
			 uint32_t bytes, uint32_t granule)
{
	for (uint32_t at = 0; at < bytes; at += BLOCK_BYTES) {
		vector block[BLOCK_VECTORS];
		const uint8_t *now = (const uint8_t *)block;

		if (!load_block(page + at, twin + at, block))
			continue;
		for (uint32_t i = 0; i < BLOCK_BYTES; i += granule) {
			int ret;

			if (memcmp(now + i, twin + at + i, granule) == 0)
				continue;
			ret = encode(encoder, (at + i) / granule, now + i, granule);
			if (ret < 0)
				return ret;
		}
	}
	end_run(encoder);
	return 0;
}

/*
 * Encodes the granules of `page` that differ from `twin`; both aligned to
 * VECTOR_BYTES, `bytes` a multiple of BLOCK_BYTES up to 65536.
 *
 * Returns changed granules << 32 | encoded bytes; -ENOSPC if `capacity` is too
 * small (never with dsm_diff_bytes_max()); -EINVAL for a bad size or granule.
 */
int64_t dsm_diff(const void *page, const void *twin, uint32_t bytes, uint32_t granule, void *out,
		 uint32_t capacity)
{
	struct encoder encoder = { .out = out, .capacity = capacity };
	int ret = -EINVAL;

	if (!is_shape(bytes, granule))
		return -EINVAL;
	switch (granule) {
	case 1:
		ret = diff_granules(&encoder, page, twin, bytes, 1);
		break;
	case 2:
		ret = diff_granules(&encoder, page, twin, bytes, 2);
		break;
	case 4:
		ret = diff_granules(&encoder, page, twin, bytes, 4);
		break;
	case 8:
		ret = diff_granules(&encoder, page, twin, bytes, 8);
		break;
	}
	return ret < 0 ? ret : (int64_t)((uint64_t)encoder.changed << 32 | encoder.length);
}

/*
 * Most bytes a diff of such a page can take. With r runs of c granules in all,
 * c + r - 1 <= n: below 4 bytes a granule many short runs cost most, above it
 * one run of everything. Returns -EINVAL for a bad size or granule.
 */
int32_t dsm_diff_bytes_max(uint32_t bytes, uint32_t granule)
{
	uint32_t granules;
	uint32_t runs;

	if (!is_shape(bytes, granule))
		return -EINVAL;
	granules = bytes / granule;
	runs = granule < RUN_HEADER_BYTES ? (granules + 1) / 2 : 1;
	return (int32_t)(RUN_HEADER_BYTES * runs + granule * (granules - runs + 1));
}

/* Checks every run before a byte is stored: a malformed diff changes nothing. */
static int check_runs(const uint8_t *diff, uint32_t length, uint32_t granules, uint32_t granule)
{
	uint32_t next = 0;
	uint32_t at = 0;

	while (at < length) {
		uint32_t count;

		if (length - at < RUN_HEADER_BYTES)
			return -EBADMSG;
		next += get_u16(diff + at);
		count = get_u16(diff + at + 2);
		at += RUN_HEADER_BYTES;
		if (count == 0 || next > granules || count > granules - next)
			return -EBADMSG;
		if (count * granule > length - at)
			return -EBADMSG;
		next += count;
		at += count * granule;
	}
	return 0;
}

INLINE uint64_t load_granule(const uint8_t *from, uint32_t granule)
{
	switch (granule) {
	case 1:
		return *(const volatile uint8_t *)from;
	case 2:
		return *(const volatile granule16 *)(const void *)from;
	case 4:
		return *(const volatile granule32 *)(const void *)from;
	default:
		return *(const volatile granule64 *)(const void *)from;
	}
}

INLINE void store_granule(uint8_t *to, uint64_t value, uint32_t granule)
{
	switch (granule) {
	case 1:
		*(volatile uint8_t *)to = (uint8_t)value;
		break;
	case 2:
		*(volatile granule16 *)(void *)to = (uint16_t)value;
		break;
	case 4:
		*(volatile granule32 *)(void *)to = (uint32_t)value;
		break;
	default:
		*(volatile granule64 *)(void *)to = value;
		break;
	}
}

/* Stores `value` if the granule still is `expected`, at once. Returns whether it was. */
INLINE int replace_granule(uint8_t *at, uint64_t expected, uint64_t value, uint32_t granule)
{
	uint8_t expected8 = (uint8_t)expected;
	uint16_t expected16 = (uint16_t)expected;
	uint32_t expected32 = (uint32_t)expected;

	switch (granule) {
	case 1:
		return __atomic_compare_exchange_n(at, &expected8, (uint8_t)value, 0,
						   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	case 2:
		return __atomic_compare_exchange_n((granule16 *)(void *)at, &expected16,
						   (uint16_t)value, 0, __ATOMIC_RELAXED,
						   __ATOMIC_RELAXED);
	case 4:
		return __atomic_compare_exchange_n((granule32 *)(void *)at, &expected32,
						   (uint32_t)value, 0, __ATOMIC_RELAXED,
						   __ATOMIC_RELAXED);
	default:
		return __atomic_compare_exchange_n((granule64 *)(void *)at, &expected, value, 0,
						   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

/*
 * Makes `value` what the next comparison starts from. A local store, also one that
 * comes at this moment, stays in the page: there it differs and will be sent.
 */
INLINE int apply_behind_stores(uint8_t *page, uint8_t *twin, uint64_t value, uint32_t granule)
{
	uint64_t before = load_granule(twin, granule);

	store_granule(twin, value, granule);
	return replace_granule(page, before, value, granule);
}

INLINE int32_t apply_granules(const uint8_t *diff, uint32_t length, uint8_t *page, uint8_t *twin,
			      uint32_t granule)
{
	int32_t overlap = 0;
	uint32_t next = 0;
	uint32_t at = 0;

	while (at < length) {
		uint32_t count = get_u16(diff + at + 2);

		next += get_u16(diff + at);
		at += RUN_HEADER_BYTES;
		for (uint32_t i = 0; i < count; i++, next++, at += granule) {
			uint32_t offset = next * granule;
			uint64_t value = 0;

			memcpy(&value, diff + at, granule); /* little-endian, unaligned */
			if (twin == NULL)
				store_granule(page + offset, value, granule);
			else if (!apply_behind_stores(page + offset, twin + offset, value, granule))
				overlap++;
		}
	}
	return overlap;
}

/*
 * Stores the granules of a diff, which may come from anybody, into `page` and,
 * unless it is NULL, into `twin`; no other byte is written. Where page and twin
 * differed before, a local thread has stored: that granule of the page is kept.
 *
 * Returns how many granules were kept (0 without a twin); -EBADMSG for a malformed diff, with nothing stored; -EINVAL
 * for a bad size or granule.
 */
int32_t dsm_apply(const void *diff, uint32_t length, void *page, void *twin, uint32_t bytes,
		  uint32_t granule)
{
	int ret;

	if (!is_shape(bytes, granule))
		return -EINVAL;
	ret = check_runs(diff, length, bytes / granule, granule);
	if (ret < 0)
		return ret;
	switch (granule) {
	case 1:
		return apply_granules(diff, length, page, twin, 1);
	case 2:
		return apply_granules(diff, length, page, twin, 2);
	case 4:
		return apply_granules(diff, length, page, twin, 4);
	default:
		return apply_granules(diff, length, page, twin, 8);
	}
}

/* dsm_diff() of a page of the regions with its twin. */
int64_t dsm_engine_diff(struct dsm_engine *engine, uint64_t offset, uint64_t twin, uint32_t bytes,
			uint32_t granule, void *out, uint32_t capacity)
{
	if (!dsm_is_range(engine, offset, bytes) || twin == 0 || twin % VECTOR_BYTES != 0)
		return -EINVAL;
	return dsm_diff(engine->alias + offset, (const void *)(uintptr_t)twin, bytes, granule,
			out, capacity);
}

/* dsm_apply() to a page of the regions through the alias; `twin` 0: none. */
int32_t dsm_engine_apply(struct dsm_engine *engine, const void *diff, uint32_t length,
			 uint64_t offset, uint64_t twin, uint32_t bytes, uint32_t granule)
{
	if (!dsm_is_range(engine, offset, bytes) || twin % VECTOR_BYTES != 0)
		return -EINVAL;
	return dsm_apply(diff, length, engine->alias + offset, (void *)(uintptr_t)twin, bytes,
			 granule);
}

/* Returns 1 if every byte is zero, 0 if not. The pages must have content: a hole gets some. */
int32_t dsm_engine_is_zero(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	const uint8_t *at = engine->alias + offset;

	if (!dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	for (const uint8_t *end = at + bytes; at < end; at += BLOCK_BYTES) {
		vector bits = { 0 };

		for (uint32_t i = 0; i < BLOCK_VECTORS; i++)
			bits |= *(const vector *)(const void *)(at + i * VECTOR_BYTES);
		if ((bits[0] | bits[1]) != 0)
			return 0;
	}
	return 1;
}
