/*
 * Measures the time that the kernels take to make diffs, and compares it with a memcmp
 * of two equal pages: the minimum for reading page and twin. Nanoseconds per page, and
 * multiples of memcmp's time.
 *
 *   sh dsm-native/src/main/c/build.sh bench dsm-native/target/native-bench [MILLISECONDS]
 *
 * Every cell is the median of the rounds. All kernels run in each round, so that a
 * temporary disturbance of the machine affects all of them. There are many pages, and a
 * page has other changes each time that it is compared, so that a branch predictor does
 * not learn them. The call from Java is not measured.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diff_kernel.h"

#define PAGE_BYTES 4096
#define HOT_PAIRS 128 /* 1 MiB with twins: fits the caches */
#define COLD_PAIRS 8192 /* 64 MiB with twins: main memory */
#define ROUNDS 31

/* After the kernels: the best one with a twin that is kept, and memcmp. */
#define KEEP DSM_KERNELS
#define MEMCMP (DSM_KERNELS + 1)
#define CONTESTANTS (DSM_KERNELS + 2)

static const char *const names[] = { "portable", "avx2", "avx512", "neon", "keep", "memcmp" };

struct pages {
	uint8_t *page;
	uint8_t *twin;
	uint8_t *equal;
	uint8_t *kept; /* equals `equal`, and `page` after an odd number of passes */
	uint32_t pairs;
	uint32_t passes; /* over `kept` */
};

/* Sums the results, so that no comparison can be optimized away. */
static volatile uint64_t total;

static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Processor time of this thread: other load affects it only through the caches. */
static double now_nanos(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void fill(struct pages *pages, uint32_t granule, uint32_t percent)
{
	uint64_t seed = percent * 10 + granule;
	size_t bytes = (size_t)pages->pairs * PAGE_BYTES;

	for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
		uint64_t word = random_next(&seed);

		memcpy(pages->twin + i, &word, sizeof(word));
	}
	memcpy(pages->page, pages->twin, bytes);
	memcpy(pages->equal, pages->twin, bytes);
	memcpy(pages->kept, pages->twin, bytes);
	pages->passes = 0;
	for (size_t i = 0; i < bytes; i += granule)
		if (random_next(&seed) % 100 < percent)
			pages->page[i + random_next(&seed) % granule] ^= 0x5a;
}

static uint64_t compare(const struct pages *pages, uint32_t contestant, uint32_t granule,
			uint32_t pair, uint8_t *out)
{
	uint32_t most = (uint32_t)dsm_diff_bytes_max(PAGE_BYTES, granule);
	size_t at = (size_t)pair * PAGE_BYTES;

	if (contestant == KEEP)
		return (uint64_t)dsm_kernel_of(dsm_kernel_best())
			->diff_keep((pages->passes % 2 == 0 ? pages->page : pages->equal) + at,
				    pages->kept + at, PAGE_BYTES, granule, out, most);
	if (contestant == MEMCMP)
		return (uint64_t)memcmp(pages->equal + at, pages->twin + at, PAGE_BYTES);
	return (uint64_t)dsm_kernel_of((int32_t)contestant)
		->diff(pages->page + at, pages->twin + at, PAGE_BYTES, granule, out, most);
}

/* Nanoseconds per page, over as many complete passes as fit the time. */
static double measure(struct pages *pages, uint32_t contestant, uint32_t granule,
		      double nanos)
{
	static uint8_t out[4 * PAGE_BYTES] __attribute__((aligned(64)));
	double begin = now_nanos();
	double end;
	uint64_t count = 0;
	uint64_t sum = 0;

	do {
		/* An odd stride: every page once, but not in the order of the addresses. */
		for (uint32_t i = 0, pair = 0; i < pages->pairs; i++) {
			sum += compare(pages, contestant, granule, pair, out);
			pair = (pair + 37) % pages->pairs;
		}
		count += pages->pairs;
		pages->passes += contestant == KEEP;
		end = now_nanos();
	} while (end - begin < nanos);
	total += sum;
	return (end - begin) / (double)count;
}

static int ascending(const void *one, const void *other)
{
	double a = *(const double *)one;
	double b = *(const double *)other;

	return (a > b) - (a < b);
}

static double quantile(double *sorted, int percent)
{
	return sorted[(ROUNDS - 1) * percent / 100];
}

static void row(struct pages *pages, uint32_t granule, uint32_t percent, double nanos)
{
	static double times[CONTESTANTS][ROUNDS];
	double floor_nanos;

	fill(pages, granule, percent);
	for (int round = 0; round < ROUNDS; round++)
		for (uint32_t i = 0; i < CONTESTANTS; i++)
			if (i >= DSM_KERNELS || dsm_kernel_of((int32_t)i) != NULL)
				times[i][round] = measure(pages, i, granule, nanos);
	for (uint32_t i = 0; i < CONTESTANTS; i++)
		qsort(times[i], ROUNDS, sizeof(double), ascending);
	floor_nanos = quantile(times[MEMCMP], 50);
	for (uint32_t i = 0; i < CONTESTANTS; i++) {
		if (i < DSM_KERNELS && dsm_kernel_of((int32_t)i) == NULL)
			continue;
		printf("%5s %7u %6u %%  %-8s %8.0f %7.2f   %8.0f %8.0f\n",
		       pages->pairs == HOT_PAIRS ? "hot" : "cold", granule, percent, names[i],
		       quantile(times[i], 50), quantile(times[i], 50) / floor_nanos,
		       quantile(times[i], 10), quantile(times[i], 90));
	}
}

static uint8_t *allocate(uint32_t pairs)
{
	uint8_t *memory = aligned_alloc(PAGE_BYTES, (size_t)pairs * PAGE_BYTES);

	if (memory == NULL)
		abort();
	return memory;
}

int main(int count, char **arguments)
{
	static const uint32_t granules[] = { 4, 8 };
	static const uint32_t percents[] = { 0, 1, 10, 50, 100 };
	static const uint32_t sizes[] = { HOT_PAIRS, COLD_PAIRS };
	double nanos = (count > 1 ? atof(arguments[1]) : 10) * 1e6;

	printf("pages granule changed  kernel         ns   times        10 %%     90 %%\n");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct pages pages = { allocate(sizes[i]), allocate(sizes[i]), allocate(sizes[i]),
				       allocate(sizes[i]), sizes[i], 0 };

		for (size_t j = 0; j < sizeof(granules) / sizeof(granules[0]); j++)
			for (size_t k = 0; k < sizeof(percents) / sizeof(percents[0]); k++)
				row(&pages, granules[j], percents[k], nanos);
		free(pages.page);
		free(pages.twin);
		free(pages.equal);
		free(pages.kept);
	}
	return 0;
}
