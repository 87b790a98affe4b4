/* Diff and apply against a plain oracle, malformed diffs, and stores to neighbours. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dsm_fault.h"

#define ROUNDS 300
#define MALFORMED_ROUNDS 20000
#define NEIGHBOUR_ROUNDS 20000
#define RACE_ROUNDS 20000

typedef volatile uint64_t volatile_word __attribute__((may_alias));

static uint8_t *new_page(uint32_t bytes)
{
	uint8_t *page = aligned_alloc(64, bytes);

	CHECK(page != NULL);
	return page;
}

static uint32_t changed_granules(const uint8_t *page, const uint8_t *twin, uint32_t bytes,
				 uint32_t granule)
{
	uint32_t changed = 0;

	for (uint32_t i = 0; i < bytes; i += granule)
		changed += memcmp(page + i, twin + i, granule) != 0;
	return changed;
}

/* From unchanged to fully changed, in runs and single granules. */
static void change(uint8_t *page, uint32_t bytes, uint64_t *seed)
{
	uint64_t runs = random_next(seed) % 8 == 0 ? bytes : random_next(seed) % 40;

	for (uint64_t i = 0; i < runs; i++) {
		uint32_t at = (uint32_t)(random_next(seed) % bytes);
		uint32_t length = (uint32_t)(random_next(seed) % 3 == 0 ? random_next(seed) % 200 : 1);

		for (uint32_t j = at; j < at + length && j < bytes; j++)
			page[j] = (uint8_t)random_next(seed);
	}
}

/* The diff of `page`, in memory of exactly its length so that a read past it is caught. */
static uint8_t *diff_of(const uint8_t *page, const uint8_t *twin, uint32_t bytes, uint32_t granule,
			uint32_t *length)
{
	uint32_t capacity = (uint32_t)dsm_diff_bytes_max(bytes, granule);
	uint8_t *out = malloc(capacity);
	int64_t ret = dsm_diff(dsm_kernel_best(), page, twin, bytes, granule, out, capacity);
	uint8_t *exact;

	CHECK(ret >= 0);
	*length = (uint32_t)ret;
	CHECK_EQUAL(changed_granules(page, twin, bytes, granule), ret >> 32);
	if (*length > 0)
		CHECK_EQUAL(-ENOSPC, dsm_diff(dsm_kernel_best(), page, twin, bytes, granule, out,
					      *length - 1));
	CHECK_EQUAL(ret, dsm_diff(dsm_kernel_best(), page, twin, bytes, granule, out, *length));
	exact = malloc(*length + 1) /* malloc(0) may be NULL */;
	memcpy(exact, out, *length);
	free(out);
	return exact;
}

static void check_random_pages(uint32_t bytes, uint32_t granule)
{
	uint64_t seed = bytes * 10 + granule;
	uint8_t *twin = new_page(bytes);
	uint8_t *page = new_page(bytes);
	uint8_t *other = new_page(bytes);
	uint8_t *other_twin = new_page(bytes);
	uint8_t *local = new_page(bytes);

	for (int round = 0; round < ROUNDS; round++) {
		uint32_t length;
		uint32_t overlap = 0;
		uint8_t *diff;

		for (uint32_t i = 0; i < bytes; i++)
			twin[i] = other_twin[i] = other[i] = page[i] = (uint8_t)random_next(&seed);
		change(page, bytes, &seed);
		change(other, bytes, &seed);
		for (uint32_t i = 0; i < bytes; i += granule)
			overlap += memcmp(page + i, twin + i, granule) != 0 &&
				   memcmp(other + i, other_twin + i, granule) != 0;
		memcpy(local, other, bytes);
		diff = diff_of(page, twin, bytes, granule, &length);

		CHECK_EQUAL(overlap, dsm_apply(diff, length, other, other_twin, bytes, granule));
		for (uint32_t i = 0; i < bytes; i += granule) {
			const uint8_t *expected = local + i;

			if (memcmp(page + i, twin + i, granule) != 0 &&
			    memcmp(local + i, twin + i, granule) == 0)
				expected = page + i;
			CHECK_EQUAL(0, memcmp(other + i, expected, granule));
			CHECK_EQUAL(0, memcmp(other_twin + i, page + i, granule));
		}
		CHECK_EQUAL(0, dsm_apply(diff, length, twin, NULL, bytes, granule));
		CHECK_EQUAL(0, memcmp(twin, page, bytes));
		free(diff);
	}
	free(local);
	free(other_twin);
	free(other);
	free(page);
	free(twin);
}

/* The worst-case patterns, and the corner case of 65536 granules. */
static void check_worst_cases(void)
{
	for (uint32_t granule = 1; granule <= 8; granule *= 2) {
		for (uint32_t stride = 1; stride <= 2; stride++) {
			uint8_t *twin = new_page(DSM_PAGE_BYTES_MAX);
			uint8_t *page = new_page(DSM_PAGE_BYTES_MAX);
			uint32_t length;
			uint8_t *diff;

			memset(twin, 0, DSM_PAGE_BYTES_MAX);
			memset(page, 0, DSM_PAGE_BYTES_MAX);
			for (uint32_t i = 0; i < DSM_PAGE_BYTES_MAX / granule; i += stride)
				page[i * granule] = 1;
			page[DSM_PAGE_BYTES_MAX - 1] = 1;
			diff = diff_of(page, twin, DSM_PAGE_BYTES_MAX, granule, &length);
			if (granule == 1 && stride == 1)
				CHECK_EQUAL(65536 + 2 * 4, length);
			if (granule < 4 && stride == 2)
				CHECK_EQUAL(dsm_diff_bytes_max(DSM_PAGE_BYTES_MAX, granule), length);
			CHECK_EQUAL(0, dsm_apply(diff, length, twin, NULL, DSM_PAGE_BYTES_MAX,
						 granule));
			CHECK_EQUAL(0, memcmp(twin, page, DSM_PAGE_BYTES_MAX));
			free(diff);
			free(page);
			free(twin);
		}
	}
}

/*
 * Random bytes, and valid diffs with one byte changed or truncated: refused, or applied in
 * bounds.
 */
static void check_malformed(uint32_t granule)
{
	uint64_t seed = granule;
	uint8_t *page = new_page(4096);
	uint8_t *twin = new_page(4096);
	uint8_t *before = new_page(4096);
	uint32_t refused = 0;

	for (int round = 0; round < MALFORMED_ROUNDS; round++) {
		uint32_t length = (uint32_t)(random_next(&seed) % 64);
		uint8_t *diff = malloc(length + 1);
		uint8_t *exact;
		int32_t ret;

		for (uint32_t i = 0; i < length; i++)
			diff[i] = (uint8_t)(random_next(&seed) % (i % 2 == 0 ? 8 : 2));
		exact = malloc(length == 0 ? 1 : length);
		memcpy(exact, diff, length);
		memset(page, 0x55, 4096);
		memset(twin, 0x55, 4096);
		memcpy(before, page, 4096);
		ret = dsm_apply(exact, length, page, twin, 4096, granule);
		CHECK(ret == 0 || ret == -EBADMSG);
		if (ret < 0) {
			refused++;
			CHECK_EQUAL(0, memcmp(page, before, 4096));
			CHECK_EQUAL(0, memcmp(twin, before, 4096));
		}
		free(exact);
		free(diff);
	}
	CHECK(refused > 0 && refused < MALFORMED_ROUNDS);
	free(before);
	free(twin);
	free(page);
}

static void check_refusals(void)
{
	static const uint8_t past_the_end[] = { 0, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	static const uint8_t too_many[] = { 255, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8 };
	static const uint8_t no_granule[] = { 0, 0, 0, 0 };
	static const uint8_t last[] = { 255, 1, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	uint8_t *page = new_page(4096);

	memset(page, 0, 4096);
	CHECK_EQUAL(-EBADMSG, dsm_apply(past_the_end, sizeof(past_the_end), page, NULL, 4096, 8));
	CHECK_EQUAL(-EBADMSG, dsm_apply(too_many, sizeof(too_many), page, NULL, 4096, 8));
	CHECK_EQUAL(-EBADMSG, dsm_apply(no_granule, sizeof(no_granule), page, NULL, 4096, 8));
	CHECK_EQUAL(-EBADMSG, dsm_apply(last, sizeof(last) - 1, page, NULL, 4096, 8));
	CHECK_EQUAL(-EBADMSG, dsm_apply(last, 3, page, NULL, 4096, 8));
	CHECK_EQUAL(0, page[4088]);
	CHECK_EQUAL(0, dsm_apply(last, sizeof(last), page, NULL, 4096, 8));
	CHECK_EQUAL(1, page[4088]);
	CHECK_EQUAL(8, page[4095]);
	CHECK_EQUAL(-EINVAL, dsm_apply(last, sizeof(last), page, NULL, 4096, 3));
	CHECK_EQUAL(-EINVAL, dsm_apply(last, sizeof(last), page, NULL, 4097, 8));
	CHECK_EQUAL(-EINVAL, dsm_diff(DSM_KERNEL_PORTABLE, page, page, 65536 + 64, 8, page, 4096));
	CHECK_EQUAL(-EINVAL, dsm_diff_bytes_max(4096, 16));
	CHECK_EQUAL(0, dsm_diff(DSM_KERNEL_PORTABLE, page, page, 4096, 8, page, 0));
	free(page);
}

struct neighbour {
	volatile uint8_t *granule;
	volatile int stop;
	volatile uint64_t stores;
	uint64_t lost;
};

static void *store_and_look(void *argument)
{
	struct neighbour *neighbour = argument;

	while (neighbour->stop == 0) {
		uint8_t value = (uint8_t)(neighbour->stores + 1);

		*neighbour->granule = value;
		neighbour->stores++;
		neighbour->lost += *neighbour->granule != value;
	}
	return NULL;
}

/* A thread stores to granule 1 while diffs are applied to granules 0 and 2. */
static void check_neighbours(void)
{
	static const uint8_t diff[] = { 0, 0, 1, 0, 11, 1, 0, 1, 0, 33 };
	uint8_t *page = new_page(64);
	uint8_t *twin = new_page(64);
	struct neighbour neighbour = { .granule = page + 1 };
	pthread_t thread;

	memset(page, 0, 64);
	memset(twin, 0, 64);
	CHECK_EQUAL(0, pthread_create(&thread, NULL, store_and_look, &neighbour));
	for (int round = 0; round < NEIGHBOUR_ROUNDS || neighbour.stores < NEIGHBOUR_ROUNDS; round++)
		CHECK_EQUAL(0, dsm_apply(diff, sizeof(diff), page, twin, 64, 1));
	neighbour.stop = 1;
	pthread_join(thread, NULL);
	CHECK_EQUAL(0, neighbour.lost);
	CHECK_EQUAL(11, page[0]);
	CHECK_EQUAL(33, twin[2]);
	CHECK_EQUAL(0, twin[1]);
	free(twin);
	free(page);
}

struct racer {
	volatile_word *target;
	volatile uint64_t begun; /* rounds */
	volatile uint64_t stored;
};

static void *store_once_a_round(void *argument)
{
	struct racer *racer = argument;

	for (uint64_t round = 1; round <= RACE_ROUNDS; round++) {
		while (racer->begun < round)
			sched_yield();
		*racer->target = round;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		racer->stored = round;
	}
	return NULL;
}

/*
 * A thread stores to the granule of a diff before, after or during the apply: its value
 * stays.
 */
static void check_race(void)
{
	static const uint8_t diff[] = { 0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	uint8_t *page = new_page(64);
	uint8_t *twin = new_page(64);
	struct racer racer = { .target = (volatile_word *)(void *)page };
	pthread_t thread;

	CHECK_EQUAL(0, pthread_create(&thread, NULL, store_once_a_round, &racer));
	for (uint64_t round = 1; round <= RACE_ROUNDS; round++) {
		memset(page, 0, 64);
		memset(twin, 0, 64);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		racer.begun = round;
		CHECK(dsm_apply(diff, sizeof(diff), page, twin, 64, 8) >= 0);
		while (racer.stored < round)
			sched_yield();
		CHECK_EQUAL(round, *racer.target);
		CHECK_EQUAL(0, memcmp(twin, diff + 4, 8));
	}
	pthread_join(thread, NULL);
	free(twin);
	free(page);
}

struct byte_racer {
	volatile uint8_t *target;
	volatile uint64_t begun; /* rounds */
	volatile uint64_t stored;
};

static void *store_byte_once_a_round(void *argument)
{
	struct byte_racer *racer = argument;

	for (uint64_t round = 1; round <= RACE_ROUNDS; round++) {
		while (racer->begun < round)
			sched_yield();
		*racer->target = (uint8_t)(100 + round % 100);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		racer->stored = round;
	}
	return NULL;
}

/*
 * The same with granules of one byte: a diff that fills a word, and a store to one of its
 * bytes.
 */
static void check_race_in_word(void)
{
	static const uint8_t diff[] = { 0, 0, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	uint8_t *page = new_page(64);
	uint8_t *twin = new_page(64);
	struct byte_racer racer = { .target = page + 3 };
	pthread_t thread;

	CHECK_EQUAL(0, pthread_create(&thread, NULL, store_byte_once_a_round, &racer));
	for (uint64_t round = 1; round <= RACE_ROUNDS; round++) {
		int32_t overlap;

		memset(page, 0, 64);
		memset(twin, 0, 64);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		racer.begun = round;
		overlap = dsm_apply(diff, sizeof(diff), page, twin, 64, 1);
		CHECK(overlap == 0 || overlap == 1);
		while (racer.stored < round)
			sched_yield();
		CHECK_EQUAL(100 + round % 100, page[3]);
		CHECK_EQUAL(0, memcmp(page, diff + 4, 3));
		CHECK_EQUAL(0, memcmp(page + 4, diff + 8, 5));
		CHECK_EQUAL(0, memcmp(twin, diff + 4, 9));
		CHECK_EQUAL(0, page[9]);
	}
	pthread_join(thread, NULL);
	free(twin);
	free(page);
}

void test_diff(void)
{
	for (uint32_t granule = 1; granule <= 8; granule *= 2) {
		check_random_pages(4096, granule);
		check_random_pages(64, granule);
		check_malformed(granule);
	}
	check_worst_cases();
	check_refusals();
	check_neighbours();
	check_race();
	check_race_in_word();
}
