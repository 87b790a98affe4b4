/*
 * Applies diffs to pages and their twins. Other processes store to the pages, so only
 * granules of the diff are stored, each atomically, and a store to a neighbouring granule
 * is never lost. Granules of a run that fill an aligned word are written with one store.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "diff_kernel.h"
#include "state.h"

#define INLINE static inline __attribute__((always_inline))

#define WORD_BYTES 8

typedef uint16_t granule16 __attribute__((may_alias));
typedef uint32_t granule32 __attribute__((may_alias));
typedef uint64_t granule64 __attribute__((may_alias));

static uint32_t get_u16(const uint8_t *from)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));
	return value;
}

/* Checks every run before any byte is stored, so that a malformed diff changes nothing. */
static int check_runs(const uint8_t *diff, uint32_t length, uint32_t granules, uint32_t granule)
{
	uint32_t next = 0;
	uint32_t at = 0;

	while (at < length) {
		uint32_t count;

		if (length - at < DSM_RUN_HEADER_BYTES)
			return -EBADMSG;
		next += get_u16(diff + at);
		count = get_u16(diff + at + 2);
		at += DSM_RUN_HEADER_BYTES;
		if (count == 0 || next > granules || count > granules - next)
			return -EBADMSG;
		if (count * granule > length - at)
			return -EBADMSG;
		next += count;
		at += count * granule;
	}
	return 0;
}

/* The corresponding address in a twin; NULL without a twin. */
INLINE uint8_t *beside(uint8_t *twin, uint32_t offset)
{
	return twin == NULL ? NULL : twin + offset;
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

/* Atomically stores `value` if the granule is still `expected`. Returns 1 if it was. */
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
 * Stores `value` to the twin, as the base of the next comparison. A local store, also a
 * concurrent one, stays in the page: it differs from the twin and will be sent.
 */
INLINE int apply_behind_stores(uint8_t *page, uint8_t *twin, uint64_t value, uint32_t granule)
{
	uint64_t before = load_granule(twin, granule);

	store_granule(twin, value, granule);
	return replace_granule(page, before, value, granule);
}

/* Returns the number of kept granules: 0 or 1. */
INLINE int32_t apply_granule(const uint8_t *diff, uint8_t *page, uint8_t *twin, uint32_t granule)
{
	uint64_t value = 0;

	memcpy(&value, diff, granule); /* little-endian, unaligned */
	if (twin != NULL)
		return !apply_behind_stores(page, twin, value, granule);
	store_granule(page, value, granule);
	return 0;
}

/*
 * Stores all granules of an aligned word at once, or one by one if a local thread has
 * stored to any.
 */
INLINE int32_t apply_word(const uint8_t *diff, uint8_t *page, uint8_t *twin, uint32_t granule)
{
	uint64_t before;
	uint64_t value;
	int32_t overlap = 0;

	memcpy(&value, diff, WORD_BYTES);
	if (twin == NULL) {
		store_granule(page, value, WORD_BYTES);
		return 0;
	}
	before = load_granule(twin, WORD_BYTES);
	if (replace_granule(page, before, value, WORD_BYTES)) {
		store_granule(twin, value, WORD_BYTES);
		return 0;
	}
	for (uint32_t i = 0; i < WORD_BYTES; i += granule)
		overlap += apply_granule(diff + i, page + i, twin + i, granule);
	return overlap;
}

/* Returns the number of kept granules of a run. `twin` may be NULL. */
INLINE int32_t apply_run(const uint8_t *diff, uint8_t *page, uint8_t *twin, uint32_t bytes,
			 uint32_t granule)
{
	int32_t overlap = 0;
	uint32_t at = 0;

	if (granule < WORD_BYTES && bytes >= WORD_BYTES) {
		for (; (uintptr_t)(page + at) % WORD_BYTES != 0; at += granule)
			overlap += apply_granule(diff + at, page + at, beside(twin, at), granule);
		for (; bytes - at >= WORD_BYTES; at += WORD_BYTES)
			overlap += apply_word(diff + at, page + at, beside(twin, at), granule);
	}
	for (; at < bytes; at += granule)
		overlap += apply_granule(diff + at, page + at, beside(twin, at), granule);
	return overlap;
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
		at += DSM_RUN_HEADER_BYTES;
		overlap += apply_run(diff + at, page + next * granule,
				     beside(twin, next * granule), count * granule, granule);
		next += count;
		at += count * granule;
	}
	return overlap;
}

/*
 * Stores the granules of an untrusted diff into `page` and, unless it is NULL, into `twin`;
 * no other byte is written. Where page and twin differed before, a local thread has stored,
 * and that granule of the page is kept.
 *
 * Returns the number of kept granules (0 without a twin); -EBADMSG for a malformed diff,
 * with nothing stored; -EINVAL for a bad size or granule.
 */
int32_t dsm_apply(const void *diff, uint32_t length, void *page, void *twin, uint32_t bytes,
		  uint32_t granule)
{
	int ret;

	if (!dsm_is_shape(bytes, granule))
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

/* Calls dsm_apply() on a page of the regions, through the alias; `twin` 0: none. */
int32_t dsm_engine_apply(struct dsm_engine *engine, const void *diff, uint32_t length,
			 uint64_t offset, uint64_t twin, uint32_t bytes, uint32_t granule)
{
	if (!dsm_is_range(engine, offset, bytes) || twin % DSM_PAGE_ALIGNMENT != 0)
		return -EINVAL;
	return dsm_apply(diff, length, engine->alias + offset, (void *)(uintptr_t)twin, bytes,
			 granule);
}
