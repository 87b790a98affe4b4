/*
 * Measures what a thread's access to a page takes that its own trap resolves: a load of an
 * absent page of a pool, beside a store to a readable page, which makes its twin. The agent,
 * the parent, is blocked meanwhile.
 *   dsm_pool_bench [ROUNDS]
 * One line per engine and access: median and 90th percentile of the last two thirds, in ns.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"

#define PAGES 64u
#define NODE 1
#define ROUNDS 600u
#define PATIENCE_MILLIS INT32_MAX

enum deed { LOAD_ABSENT, STORE_READABLE, STORE_ABSENT, DEEDS };

static const char *const deeds[DEEDS] = { "load, absent page of a pool",
					  "store, readable page", "store, absent page of a pool" };
static const char *const kinds[] = { "uffd+event", "uffd+signal", "mprotect+signal" };
static const uint8_t token[DSM_TOKEN_BYTES] = { 7 };
static struct dsm_engine *engine;
static struct dsm_pool *pool;
static uint64_t page_bytes;
static uint64_t *samples; /* shared with the child */
static uint64_t number; /* of samples */
static int to_child[2];
static int to_parent[2];

static void check(int64_t result, const char *call)
{
	if (result < 0) {
		fprintf(stderr, "%s: %lld\n", call, (long long)result);
		exit(1);
	}
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static _Noreturn void be_application(int32_t kind, const char *name)
{
	struct dsm_open_report report;
	struct dsm_verdict verdict;
	struct dsm_mapping *mapping;
	uint8_t deed;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	check(dsm_mapping_open(kind, 1, PAGES * page_bytes, page_bytes, 0, &mapping, &report),
	      "dsm_mapping_open");
	check(dsm_mapping_attach(mapping, name, token, NODE, PATIENCE_MILLIS, &verdict),
	      "dsm_mapping_attach");
	while (read(to_child[0], &deed, 1) == 1) {
		for (uint64_t i = 0; i < PAGES; i++) {
			volatile uint64_t *word = (volatile uint64_t *)(uintptr_t)(
				dsm_mapping_region(mapping) + i * page_bytes);
			uint64_t start = now();

			if (deed == LOAD_ABSENT)
				(void)*word;
			else
				*word = start;
			samples[number++] = now() - start;
		}
		check(write(to_parent[1], &deed, 1), "write");
	}
	_exit(0);
}

static void start(int32_t kind, const char *name, struct dsm_listener **listener)
{
	struct dsm_verdict verdict;

	engine = NULL;
	check(pipe(to_child), "pipe");
	check(pipe(to_parent), "pipe");
	check(dsm_listener_open(name, listener), "dsm_listener_open");
	dsm_listener_use_pool(*listener, pool);
	if (fork() == 0) {
		close(to_child[1]);
		be_application(kind, name);
	}
	close(to_child[0]);
	while (engine == NULL) {
		struct pollfd target = { .fd = dsm_listener_fd(*listener), .events = POLLIN };

		check(poll(&target, 1, PATIENCE_MILLIS) - 1, "poll");
		(void)dsm_listener_accept(*listener, token, &engine, &verdict);
	}
}

/* Makes a page absent or readable, and offers it. */
static void prepare(uint64_t page, int is_absent)
{
	uint64_t at = page * page_bytes;
	int32_t state = dsm_engine_seize(engine, at, page_bytes);

	check(state == DSM_TRAP_AGENT ? 0 : -1, "dsm_engine_seize");
	if (is_absent) {
		check(dsm_engine_discard(engine, at, page_bytes), "dsm_engine_discard");
		__atomic_and_fetch(&pool->map.words[4 * page], ~(UINT64_C(1) << NODE),
				   __ATOMIC_SEQ_CST);
		check(dsm_engine_offer_absent(engine, at, page_bytes), "dsm_engine_offer_absent");
		return;
	}
	check(dsm_engine_touch(engine, at, page_bytes), "dsm_engine_touch");
	check(dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ), "dsm_engine_allow");
	check(dsm_engine_offer(engine, at, page_bytes), "dsm_engine_offer");
}

static int by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

static uint64_t measure(int32_t kind, enum deed deed, uint64_t rounds)
{
	struct dsm_listener *listener;
	uint8_t said = (uint8_t)deed;
	uint64_t count = rounds * PAGES;
	uint64_t first = count / 3;
	char name[64];

	snprintf(name, sizeof(name), "muninn-bench-pool-%d-%d-%d", getpid(), kind, deed);
	start(kind, name, &listener);
	for (uint64_t round = 0; round < rounds; round++) {
		for (uint64_t page = 0; page < PAGES; page++)
			prepare(page, deed != STORE_READABLE);
		check(write(to_child[1], &said, 1), "write");
		check(read(to_parent[0], &said, 1) - 1, "read");
		while (dsm_engine_read_news(engine) > 0)
			;
		if (dsm_engine_read_faults(engine, 0) != 0)
			check(-1, "a fault came to the agent");
	}
	check(dsm_engine_bye(engine, 0), "dsm_engine_bye");
	close(to_child[1]);
	close(to_parent[0]);
	close(to_parent[1]);
	check(wait(NULL), "wait");
	dsm_engine_close(engine);
	dsm_listener_close(listener);
	qsort(samples + first, count - first, sizeof(*samples), by_value);
	printf("%-16s %-28s %6llu %6llu\n", kinds[kind], deeds[deed],
	       (unsigned long long)samples[first + (count - first) / 2],
	       (unsigned long long)samples[first + (count - first) * 9 / 10]);
	fflush(stdout);
	return samples[first + (count - first) / 2];
}

int main(int arguments, char **argument)
{
	uint64_t rounds = arguments > 1 ? strtoull(argument[1], NULL, 10) : ROUNDS;

	page_bytes = (uint64_t)dsm_page_bytes();
	samples = mmap(NULL, rounds * PAGES * sizeof(*samples), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	check(samples == MAP_FAILED ? -1 : 0, "mmap");
	check(dsm_pool_create(1, PAGES, 2, 1, 8, 0, &pool), "dsm_pool_create");
	for (uint64_t i = 0; i < PAGES; i++)
		*(uint64_t *)(void *)(dsm_pool_frame(pool, i * page_bytes)) = i;
	for (int32_t kind = DSM_ENGINE_UFFD_SIGNAL; kind < DSM_ENGINE_KINDS; kind++) {
		uint64_t load = measure(kind, LOAD_ABSENT, rounds);
		uint64_t store = measure(kind, STORE_READABLE, rounds);

		(void)measure(kind, STORE_ABSENT, rounds);
		printf("%-16s load / store to a readable page: %.2f\n", kinds[kind],
		       (double)load / (double)store);
	}
	return 0;
}
