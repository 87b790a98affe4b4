#define _GNU_SOURCE
#include "floor.h"

#include <stdlib.h>
#include <string.h>

#define PAGES 256u
#define BATCH 64u /* pages to a sample: one alone is of the order of the clock's own time */

#define OTHER_BYTES ((size_t)8 << 20) /* more than the private caches of a processor */
#define LINE_BYTES 64u
#define COLD_SHARE 8u /* of the samples: emptying takes longer than comparing */

/* Sums the results, so that no comparison can be optimized away. */
static volatile uint64_t total;

static uint8_t *allocate(size_t bytes)
{
	uint8_t *memory = aligned_alloc(PAGE_BYTES, bytes);

	if (memory == NULL)
		fail("aligned_alloc");
	memset(memory, 0x5a, bytes);
	return memory;
}

/* The compiler may assume nothing about the memory behind the pointer. */
static void *opaque(void *pointer)
{
	__asm__ volatile("" : "+r"(pointer) : : "memory");
	return pointer;
}

static double copy_page(uint8_t *twin, const uint8_t *page)
{
	double begin = now_nanos();

	for (uint32_t i = 0; i < BATCH; i++)
		memcpy(opaque(twin), page, PAGE_BYTES);
	return (now_nanos() - begin) / BATCH;
}

static double compare_page(uint8_t *twin, const uint8_t *page)
{
	double begin = now_nanos();

	for (uint32_t i = 0; i < BATCH; i++)
		total += (uint64_t)memcmp(opaque(twin), page, PAGE_BYTES);
	return (now_nanos() - begin) / BATCH;
}

static double compare_pages(uint8_t *twins, const uint8_t *pages)
{
	double begin = now_nanos();

	for (uint32_t i = 0; i < PAGES; i++)
		total += (uint64_t)memcmp(opaque(twins + i * PAGE_BYTES), pages + i * PAGE_BYTES,
					  PAGE_BYTES);
	return now_nanos() - begin;
}

void empty_caches(void)
{
	static const uint8_t *other;
	uint64_t sum = 0;

	if (other == NULL)
		other = allocate(OTHER_BYTES);
	for (size_t i = 0; i < OTHER_BYTES; i += LINE_BYTES)
		sum += other[i];
	total += sum;
}

void measure_memory(struct series *series, uint32_t samples)
{
	uint8_t *pages = allocate((size_t)PAGES * PAGE_BYTES);
	uint8_t *twins = allocate((size_t)PAGES * PAGE_BYTES);

	series_begin(series, "memcpy-page", samples);
	while (!series_is_full(series))
		series_add(series, copy_page(twins, pages));
	series_print(series);
	series_begin(series, "memcmp-page", samples);
	while (!series_is_full(series))
		series_add(series, compare_page(twins, pages));
	series_print(series);
	series_begin(series, "memcmp-256-pages", samples);
	while (!series_is_full(series))
		series_add(series, compare_pages(twins, pages));
	series_print(series);
	series_begin(series, "memcmp-256-pages-cold", samples / COLD_SHARE + 1);
	while (!series_is_full(series)) {
		empty_caches();
		series_add(series, compare_pages(twins, pages));
	}
	series_print(series);
	free(pages);
	free(twins);
}
