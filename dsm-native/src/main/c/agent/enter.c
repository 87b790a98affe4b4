/*
 * Pages of a pool, as the agent itself enters them: those of an engine without signals, and
 * those that traps were not offered. No message is sent and no other process takes part.
 */
#define _GNU_SOURCE
#include <errno.h>

#include "state.h"

static int is_pooled(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	return engine->pool != NULL && dsm_is_range(engine, offset, bytes) &&
	       bytes <= DSM_PAGE_BYTES_MAX;
}

/*
 * Enters a page without access in the coherent map, copies its frame to it, and gives a
 * process READ. Wakes no thread.
 *
 * Returns 1 if the node must check the page at each acquire, 0 if not; -EINVAL for a range
 * that is not a page of the pool, or a bad process; -EBUSY if a trap may enter it; -ENOMEM or
 * -ENOSPC if the machine is out of memory; -EHWPOISON and -E2BIG as dsm_engine_allow().
 */
int32_t dsm_engine_enter(struct dsm_engine *engine, int32_t process, uint64_t offset,
			 uint64_t bytes)
{
	struct dsm_image image = { .offset = offset };
	int is_unsafe;
	int ret;

	if (!is_pooled(engine, offset, bytes) || dsm_process_at(engine, process) == NULL)
		return -EINVAL;
	if (!dsm_claim_allows(engine, offset, bytes, DSM_ACCESS_READ))
		return -EBUSY;
	is_unsafe = dsm_pool_enter_page(engine->pool, engine->node, offset);
	dsm_frame_invalidate(dsm_pool_frame(engine->pool, offset), bytes);
	image.address = (uint64_t)(uintptr_t)dsm_pool_frame(engine->pool, offset);
	ret = dsm_install_images(engine, process, &image, 1, (uint32_t)bytes, DSM_ACCESS_READ);
	return ret < 0 ? ret : is_unsafe;
}

/*
 * Writes stores back to the frame of a page, a diff as dsm_engine_diff() encodes it. A word
 * of the frame that is not in the diff is not written. Publish the page afterwards.
 *
 * Returns 0; -EBADMSG for a malformed diff; -EINVAL for a bad page or granule.
 */
int32_t dsm_engine_write_back(struct dsm_engine *engine, const void *diff, uint32_t length,
			      uint64_t offset, uint32_t bytes, uint32_t granule)
{
	uint8_t *frame;
	int32_t ret;

	if (!is_pooled(engine, offset, bytes))
		return -EINVAL;
	frame = dsm_pool_frame(engine->pool, offset);
	ret = dsm_apply(diff, length, frame, NULL, bytes, granule);
	dsm_frame_flush(frame, bytes);
	return ret;
}
