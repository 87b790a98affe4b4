/* Gives pages content and access: one page at once, or many without access. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "check.h"
#include "pair.h"

#define PAGES 200
#define IMAGES 70 /* more than fit one run */

static _Alignas(8) uint8_t images[IMAGES][4096];

static uint64_t image(uint32_t index)
{
	return (uint64_t)(uintptr_t)images[index];
}

static void fill_images(uint64_t value)
{
	for (uint32_t i = 0; i < IMAGES; i++) {
		uint64_t word = value + i;

		for (uint64_t at = 0; at < page_bytes; at += sizeof(word))
			memcpy(images[i] + at, &word, sizeof(word));
	}
}

static int32_t install(struct dsm_image *pages, uint32_t count, int32_t access)
{
	return dsm_install_images(engine, 0, pages, count, (uint32_t)page_bytes, access);
}

/* One page, possibly of several machine pages. */
static int32_t install_one(uint64_t offset, uint64_t bytes, uint32_t index, int32_t access)
{
	struct dsm_image one = { .offset = offset, .address = image(index) };

	return dsm_install_images(engine, 0, &one, 1, (uint32_t)bytes, access);
}

static uint64_t load(uint64_t offset)
{
	begin(LOAD, offset, 0);
	await_done();
	return talk->value;
}

/* The waiting thread sees all of it; no thread faults again before a store. */
static void check_waiting_thread(void)
{
	uint64_t at = 3 * page_bytes;

	begin(LOAD, at + 8, 0);
	next_fault(at + 8, DSM_FAULT_READ);
	CHECK_EQUAL(0, install_one(at, page_bytes, 0, DSM_ACCESS_READ));
	CHECK(!is_done());
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes));
	await_done();
	CHECK_EQUAL(100, talk->value);
	CHECK_EQUAL(100, load(at + page_bytes - 8));
	CHECK_EQUAL(100, content(at + 16));
	begin(STORE, at + 16, 7);
	next_fault(at + 16, DSM_FAULT_UPGRADE);
	give(at, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
	CHECK_EQUAL(7, content(at + 16));
}

static void check_unit_to_write(void)
{
	uint64_t at = 8 * page_bytes;

	CHECK_EQUAL(0, install_one(at, 4 * page_bytes, 1, DSM_ACCESS_READ_WRITE));
	for (uint64_t i = 0; i < 4; i++)
		CHECK_EQUAL(101 + i, load(at + i * page_bytes));
	begin(STORE, at + page_bytes, 9);
	await_done();
	CHECK_EQUAL(9, content(at + page_bytes));
	CHECK_EQUAL(102, content(at + page_bytes + 8));
	CHECK_EQUAL(0, dsm_engine_discard(engine, at, 4 * page_bytes));
	CHECK_EQUAL(0, install_one(at, 4 * page_bytes, 2, DSM_ACCESS_READ));
	CHECK_EQUAL(103, load(at + page_bytes));
}

/* A page that the file already has, and a partially present unit. */
static void check_over_content(void)
{
	uint64_t at = 16 * page_bytes;

	CHECK_EQUAL(0, dsm_engine_touch(engine, at + 2 * page_bytes, page_bytes));
	CHECK_EQUAL(0, install_one(at, 4 * page_bytes, 3, DSM_ACCESS_READ));
	for (uint64_t i = 0; i < 4; i++) {
		CHECK_EQUAL(103 + i, load(at + i * page_bytes + 24));
		CHECK_EQUAL(103 + i, content(at + i * page_bytes));
	}
	begin(STORE, at + 2 * page_bytes, 1);
	next_fault(at + 2 * page_bytes, DSM_FAULT_UPGRADE);
	give(at, 4 * page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
}

static void check_refusals(void)
{
	uint64_t at = 24 * page_bytes;
	struct dsm_image odd = { .offset = at + 1, .address = image(0) };

	CHECK_EQUAL(-EINVAL, install_one(at, page_bytes, 0, 3));
	CHECK_EQUAL(-EINVAL, install_one(at + 1, page_bytes, 0, DSM_ACCESS_READ));
	CHECK_EQUAL(-EINVAL, install_one(PAGES * page_bytes, page_bytes, 0, DSM_ACCESS_READ));
	CHECK_EQUAL(-EINVAL, install(&odd, 1, DSM_ACCESS_NONE));
	odd.offset = PAGES * page_bytes;
	CHECK_EQUAL(-EINVAL, install(&odd, 1, DSM_ACCESS_NONE));
	CHECK_EQUAL(0, dsm_engine_poison(engine, at, page_bytes));
	CHECK_EQUAL(-EHWPOISON, install_one(at, page_bytes, 0, DSM_ACCESS_READ));
	at += page_bytes;
	offer(at, page_bytes);
	CHECK_EQUAL(-EBUSY, install_one(at, page_bytes, 0, DSM_ACCESS_READ));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_freeze(engine, at, page_bytes));
}

/* Adjacent pages, two of them zero, and some isolated ones. */
static void check_many(void)
{
	static struct dsm_image pages[IMAGES];

	for (uint32_t i = 0; i < IMAGES; i++) {
		uint64_t index = i < 66 ? 40 + i : 110 + 3 * (i - 66);

		pages[i] = (struct dsm_image){ .offset = index * page_bytes, .address = image(i) };
	}
	pages[20].address = 0;
	pages[21].address = 0;
	CHECK_EQUAL(0, install(pages, IMAGES, DSM_ACCESS_NONE));
	for (uint32_t i = 0; i < IMAGES; i++) {
		uint64_t value = pages[i].address == 0 ? 0 : 100 + i;

		CHECK_EQUAL(value, content(pages[i].offset));
		CHECK_EQUAL(value, content(pages[i].offset + page_bytes - 8));
	}
	begin(LOAD, pages[5].offset, 0); /* it has no access */
	next_fault(pages[5].offset, DSM_FAULT_READ);
	give(pages[0].offset, 66 * page_bytes, DSM_ACCESS_READ);
	await_done();
	CHECK_EQUAL(105, talk->value);
	CHECK_EQUAL(0, load(pages[21].offset));
	CHECK_EQUAL(165, load(pages[65].offset));
}

/* Zeros, with access at once. */
static void check_many_to_read(void)
{
	static struct dsm_image pages[3];

	for (uint32_t i = 0; i < 3; i++)
		pages[i] = (struct dsm_image){ .offset = (30 + i) * page_bytes,
					       .address = i == 1 ? 0 : image(i) };
	CHECK_EQUAL(0, install(pages, 3, DSM_ACCESS_READ));
	for (uint32_t i = 0; i < 3; i++)
		CHECK_EQUAL(i == 1 ? 0 : 100 + i, load(pages[i].offset + 32));
}

void test_install(void)
{
	static const int32_t kinds[] = { DSM_ENGINE_UFFD_SIGNAL, DSM_ENGINE_MPROTECT_SIGNAL };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		pid_t child = start_pair(kinds[i], PAGES, -1);

		fill_images(100);
		check_waiting_thread();
		check_unit_to_write();
		check_over_content();
		check_refusals();
		check_many();
		check_many_to_read();
		CHECK_EQUAL(0, kill(child, SIGKILL));
		CHECK_EQUAL(child, waitpid(child, NULL, 0));
		/* The application has ended, which is not an error. */
		CHECK_EQUAL(0, install_one(190 * page_bytes, page_bytes, 0, DSM_ACCESS_READ));
		CHECK_EQUAL(100, content(190 * page_bytes));
		end_pair();
	}
}
