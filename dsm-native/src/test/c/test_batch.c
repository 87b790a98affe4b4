/* Compares operations on many pages in one call with a call for each page. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "check.h"
#include "pair.h"

#define PAGES 40
#define COUNT 8
#define DIFF_MAX 4100

static struct dsm_batch_page pages[COUNT];

static uint8_t *page_at(uint32_t index)
{
	return engine->alias + pages[index].offset;
}

/* Not adjacent and not sorted. */
static void choose_pages(void)
{
	for (uint32_t i = 0; i < COUNT; i++)
		pages[i] = (struct dsm_batch_page){ .offset = (i * 11 % PAGES) * page_bytes };
}

static void check_claims(void)
{
	uint64_t at = pages[3].offset;
	int64_t twin;

	for (uint32_t i = 0; i < COUNT; i++)
		CHECK_EQUAL(0, dsm_engine_touch(engine, pages[i].offset, page_bytes));
	for (uint32_t i = 0; i < COUNT; i++)
		CHECK_EQUAL(0, dsm_engine_allow(engine, 0, pages[i].offset, page_bytes,
						DSM_ACCESS_READ));
	CHECK_EQUAL(0, dsm_batch_offer(engine, pages, COUNT, (uint32_t)page_bytes));
	for (uint32_t i = 0; i < COUNT; i++) {
		CHECK_EQUAL(1, pages[i].result);
		CHECK_EQUAL(DSM_TRAP_READ, dsm_engine_trap_state(engine, pages[i].offset));
	}
	begin(STORE, at + 8, 7);
	await_done();
	next_dirtied(at);
	CHECK_EQUAL(0, dsm_batch_freeze(engine, pages, COUNT, (uint32_t)page_bytes));
	for (uint32_t i = 0; i < COUNT; i++)
		CHECK_EQUAL(i == 3 ? DSM_TRAP_DIRTY : DSM_TRAP_AGENT, pages[i].result);

	CHECK_EQUAL(-EBUSY, dsm_batch_offer(engine, pages, COUNT, (uint32_t)page_bytes));
	CHECK_EQUAL(1, pages[2].result);
	CHECK_EQUAL(-EBUSY, pages[3].result);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_trap_state(engine, pages[4].offset));

	twin = dsm_engine_twin_adopt(engine, at, (uint32_t)page_bytes);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)page_bytes));
	CHECK_EQUAL(0, dsm_batch_freeze(engine, pages, COUNT, (uint32_t)page_bytes));
}

/* Page `i` has `i` changed granules; the first page has none. */
static void change_pages(uint64_t value)
{
	for (uint32_t i = 0; i < COUNT; i++) {
		for (uint32_t k = 0; k < i; k++)
			memcpy(page_at(i) + 8 * (3 * k + i), &value, sizeof(value));
	}
}

static void check_diffs(int32_t keep)
{
	static uint8_t out[COUNT * DIFF_MAX];
	static uint8_t one[DIFF_MAX];
	static uint8_t twins[COUNT][4096];
	uint32_t bytes = (uint32_t)page_bytes;
	int64_t all = 0;
	int64_t length;

	for (uint32_t i = 0; i < COUNT; i++) {
		pages[i].twin = (uint64_t)dsm_engine_twin_make(engine, pages[i].offset, bytes);
		memcpy(twins[i], (const void *)pages[i].twin, bytes);
	}
	change_pages(0x1234567890 + (uint64_t)keep);
	CHECK_EQUAL(-ENOSPC, dsm_batch_diff(engine, pages, COUNT, bytes, 8, keep, out,
					    sizeof(out) - 1));
	CHECK_EQUAL(-EINVAL, dsm_batch_diff(engine, pages, COUNT, bytes, 3, keep, out,
					    sizeof(out)));
	length = dsm_batch_diff(engine, pages, COUNT, bytes, 8, keep, out, sizeof(out));
	for (uint32_t i = 0; i < COUNT; i++) {
		int64_t ret;

		memcpy((void *)pages[i].twin, twins[i], bytes);
		ret = dsm_engine_diff(engine, pages[i].offset, pages[i].twin, bytes, 8, one,
				      sizeof(one));
		CHECK_EQUAL(i, ret >> 32);
		CHECK_EQUAL(i, pages[i].result);
		CHECK_EQUAL((uint32_t)ret, pages[i].bytes);
		CHECK_EQUAL(all, pages[i].diff);
		CHECK_EQUAL(0, memcmp(out + pages[i].diff, one, pages[i].bytes));
		all += pages[i].bytes;
	}
	CHECK_EQUAL(all, length);

	/*
	 * The twins have the content before the stores; the diffs make them equal to the
	 * pages.
	 */
	for (uint32_t i = 0; i < COUNT; i++) {
		memcpy(page_at(i), twins[i], bytes);
		pages[i].diff += (uint64_t)(uintptr_t)out;
	}
	CHECK_EQUAL(0, dsm_batch_apply(engine, pages, COUNT, bytes, 8));
	for (uint32_t i = 0; i < COUNT; i++) {
		CHECK_EQUAL(0, pages[i].result);
		CHECK_EQUAL(0, memcmp(page_at(i), (const void *)pages[i].twin, bytes));
	}
	change_pages(0x1234567890 + (uint64_t)keep);
	for (uint32_t i = 0; i < COUNT; i++)
		CHECK_EQUAL(0, memcmp(page_at(i), (const void *)pages[i].twin, bytes));
}

/* A malformed diff stops the batch; the diffs before it are applied. */
static void check_malformed(void)
{
	uint32_t bytes = (uint32_t)page_bytes;
	uint64_t before = content(pages[6].offset + 8 * 6);

	change_pages(5);
	for (uint32_t i = 0; i < COUNT; i++)
		CHECK_EQUAL(0, dsm_engine_twin_free(engine, pages[i].twin, bytes));
	for (uint32_t i = 0; i < COUNT; i++)
		pages[i].twin = 0;
	pages[5].bytes -= 1;
	CHECK_EQUAL(-EBADMSG, dsm_batch_apply(engine, pages, COUNT, bytes, 8));
	CHECK_EQUAL(0, pages[4].result);
	CHECK_EQUAL(-EBADMSG, pages[5].result);
	CHECK_EQUAL(before, content(pages[4].offset + 8 * 4));
	CHECK_EQUAL(5, content(pages[6].offset + 8 * 6));
}

static void check_engine(void)
{
	choose_pages();
	check_claims();
	check_diffs(0);
	for (uint32_t i = 0; i < COUNT; i++)
		CHECK_EQUAL(0, dsm_engine_twin_free(engine, pages[i].twin, (uint32_t)page_bytes));
	check_diffs(1);
	check_malformed();
}

void test_batch(void)
{
	static const int32_t kinds[] = { DSM_ENGINE_UFFD_SIGNAL, DSM_ENGINE_MPROTECT_SIGNAL };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		pid_t child = start_pair(kinds[i], PAGES, -1);

		check_engine();
		CHECK_EQUAL(0, kill(child, SIGKILL));
		CHECK_EQUAL(child, waitpid(child, NULL, 0));
		end_pair();
	}
}
