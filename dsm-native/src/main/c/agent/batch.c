/*
 * Operations on many pages in one call. The work for one page takes less time than a call
 * from Java.
 */
#define _GNU_SOURCE
#include <errno.h>

#include "state.h"

static int32_t claim_each(struct dsm_engine *engine, struct dsm_batch_page *pages, uint32_t count,
			  uint32_t bytes,
			  int32_t (*claim)(struct dsm_engine *, uint64_t, uint64_t))
{
	for (uint32_t i = 0; i < count; i++) {
		pages[i].result = claim(engine, pages[i].offset, bytes);
		if (pages[i].result < 0)
			return pages[i].result;
	}
	return 0;
}

/* Calls dsm_engine_freeze() for each page: `result` is its state. Returns 0 or the first -errno. */
int32_t dsm_batch_freeze(struct dsm_engine *engine, struct dsm_batch_page *pages, uint32_t count,
			 uint32_t bytes)
{
	return claim_each(engine, pages, count, bytes, dsm_engine_freeze);
}

/* Calls dsm_engine_offer() for each page: `result` is 1 or 0. Returns 0 or the first -errno. */
int32_t dsm_batch_offer(struct dsm_engine *engine, struct dsm_batch_page *pages, uint32_t count,
			uint32_t bytes)
{
	return claim_each(engine, pages, count, bytes, dsm_engine_offer);
}

/*
 * Calls dsm_engine_diff() or dsm_engine_diff_keep() for each page and stores the diffs
 * consecutively: `result` is the number of changed granules, `diff` the offset of the diff
 * in `out`, `bytes` its length. `capacity` must suffice for the longest possible diff of
 * every page.
 *
 * Returns the total length; -ENOSPC or -EINVAL as dsm_engine_diff_keep(). Nothing has
 * changed then, except after -EINVAL for a page that is not the first.
 */
int64_t dsm_batch_diff(struct dsm_engine *engine, struct dsm_batch_page *pages, uint32_t count,
		       uint32_t bytes, uint32_t granule, int32_t keep, uint8_t *out,
		       uint32_t capacity)
{
	int64_t most = dsm_diff_bytes_max(bytes, granule);
	uint32_t length = 0;

	if (most < 0)
		return most;
	if (most * count > capacity)
		return -ENOSPC;
	for (uint32_t i = 0; i < count; i++) {
		struct dsm_batch_page *page = &pages[i];
		int64_t ret = (keep != 0 ? dsm_engine_diff_keep : dsm_engine_diff)(
			engine, page->offset, page->twin, bytes, granule, out + length,
			capacity - length);

		if (ret < 0)
			return ret;
		page->diff = length;
		page->bytes = (uint32_t)ret;
		page->result = (int32_t)(ret >> 32);
		length += page->bytes;
	}
	return length;
}

/*
 * Calls dsm_engine_apply() for each page, in order, with the diff of `bytes` bytes at the
 * address `diff`: `result` is its return value. Returns 0, or the first -errno; the pages
 * after that one are not processed.
 */
int32_t dsm_batch_apply(struct dsm_engine *engine, struct dsm_batch_page *pages, uint32_t count,
			uint32_t bytes, uint32_t granule)
{
	for (uint32_t i = 0; i < count; i++) {
		struct dsm_batch_page *page = &pages[i];

		page->result = dsm_engine_apply(engine, (const void *)(uintptr_t)page->diff,
						page->bytes, page->offset, page->twin, bytes,
						granule);
		if (page->result < 0)
			return page->result;
	}
	return 0;
}
