/* The pool of twins: slots do not overlap, are reused, and are returned to the system. */
#define _GNU_SOURCE
#include <string.h>

#include "check.h"
#include "engine.h"

#define TWINS 3000
#define SLAB (UINT64_C(4) << 20)

static void check_many(uint32_t bytes)
{
	struct dsm_twin_pool pool = { .page_bytes = (uint32_t)dsm_page_bytes() };
	uint64_t *twins = calloc(TWINS, sizeof(*twins));
	uint64_t peak;

	for (uint64_t i = 0; i < TWINS; i++) {
		int64_t twin = dsm_twin_pool_take(&pool, bytes);

		CHECK(twin > 0 && twin % bytes == 0);
		twins[i] = (uint64_t)twin;
		memcpy((void *)(uintptr_t)twin, &i, sizeof(i));
		memcpy((void *)(uintptr_t)(twins[i] + bytes - sizeof(i)), &i, sizeof(i));
	}
	peak = pool.slab_bytes;
	CHECK_EQUAL(TWINS * (uint64_t)bytes, pool.twin_bytes);
	CHECK(peak >= pool.twin_bytes && peak <= pool.twin_bytes + pool.twin_bytes / 32 + SLAB);

	for (uint64_t i = 0; i < TWINS; i++) { /* no slot was overwritten through another */
		CHECK_EQUAL(0, memcmp((void *)(uintptr_t)twins[i], &i, sizeof(i)));
		CHECK_EQUAL(0, memcmp((void *)(uintptr_t)(twins[i] + bytes - sizeof(i)), &i,
				      sizeof(i)));
	}
	for (uint64_t i = 0; i < TWINS; i += 2)
		CHECK_EQUAL(0, dsm_twin_pool_give(&pool, twins[i], bytes));
	for (uint64_t i = 0; i < TWINS; i += 2)
		twins[i] = (uint64_t)dsm_twin_pool_take(&pool, bytes);
	CHECK_EQUAL(peak, pool.slab_bytes); /* freed slots were reused */

	for (uint64_t i = 0; i < TWINS; i++)
		CHECK_EQUAL(0, dsm_twin_pool_give(&pool, twins[i], bytes));
	CHECK_EQUAL(0, pool.twin_bytes);
	CHECK_EQUAL(SLAB, pool.slab_bytes); /* kept, so that a single twin needs no mapping */
	dsm_twin_pool_close(&pool);
	CHECK_EQUAL(0, pool.slab_bytes);
	free(twins);
}

static void check_refusals(void)
{
	struct dsm_twin_pool pool = { .page_bytes = (uint32_t)dsm_page_bytes() };
	uint64_t twin;

	CHECK_EQUAL(-EINVAL, dsm_twin_pool_take(&pool, 0));
	CHECK_EQUAL(-EINVAL, dsm_twin_pool_take(&pool, 12288));
	CHECK_EQUAL(-EINVAL, dsm_twin_pool_take(&pool, 131072));
	twin = (uint64_t)dsm_twin_pool_take(&pool, 65536);
	CHECK_EQUAL(-EINVAL, dsm_twin_pool_give(&pool, twin, 32768));
	CHECK_EQUAL(-EINVAL, dsm_twin_pool_give(&pool, twin + 64, 65536));
	CHECK_EQUAL(-EINVAL, dsm_twin_pool_give(&pool, twin & ~(SLAB - 1), 65536));
	CHECK_EQUAL(-EINVAL, dsm_twin_pool_give(&pool, 0, 65536));
	CHECK_EQUAL(0, dsm_twin_pool_give(&pool, twin, 65536));
	CHECK_EQUAL(-EINVAL, dsm_twin_pool_give(&pool, twin, 65536));
	dsm_twin_pool_close(&pool);
}

void test_twin(void)
{
	check_many((uint32_t)dsm_page_bytes());
	check_many(65536);
	check_refusals();
}
