/*
 * Compares every kernel that this machine can run with a plain oracle, also with concurrent
 * stores to the pages. Random pages: a few thousand in every build; in millions, with the
 * optimization of the library, by
 *
 *   sh dsm-native/src/main/c/build.sh kernels dsm-native/target/native-test [PAGES]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "dsm_fault.h"

#define PAGES 4000
#define RACE_DIFFS 2000
#define BORDER_BYTES 320

/* The inputs of a diff; page and twin end at the end of their memory. */
struct sample {
	uint8_t *page;
	uint8_t *twin;
	uint32_t bytes;
	uint32_t granule;
	uint8_t *expected;
	uint32_t length;
	uint32_t changed;
};

static uint32_t put_u16(uint8_t *to, uint32_t value)
{
	to[0] = (uint8_t)value;
	to[1] = (uint8_t)(value >> 8);
	return 2;
}

static int differs(const struct sample *sample, uint32_t index)
{
	for (uint32_t i = index * sample->granule; i < (index + 1) * sample->granule; i++)
		if (sample->page[i] != sample->twin[i])
			return 1;
	return 0;
}

/* The obviously correct encoder, byte by byte. */
static void encode_plainly(struct sample *sample)
{
	uint32_t granules = sample->bytes / sample->granule;
	uint32_t behind = 0;

	sample->length = 0;
	sample->changed = 0;
	for (uint32_t first = 0; first < granules;) {
		uint32_t end = first;

		while (end < granules && end - first < 65535 && differs(sample, end))
			end++;
		if (end == first) {
			first++;
			continue;
		}
		sample->length += put_u16(sample->expected + sample->length, first - behind);
		sample->length += put_u16(sample->expected + sample->length, end - first);
		for (uint32_t i = first * sample->granule; i < end * sample->granule; i++)
			sample->expected[sample->length++] = sample->page[i];
		sample->changed += end - first;
		behind = first = end;
	}
}

/* One diff into memory that ends at its capacity. */
static void check_capacity(const struct sample *sample, int32_t kernel, uint8_t *memory,
			   uint32_t memory_bytes, uint32_t capacity)
{
	uint8_t *out = memory + memory_bytes - capacity;
	int64_t ret = dsm_diff(kernel, sample->page, sample->twin, sample->bytes, sample->granule,
			       out, capacity);
	int64_t expected = (int64_t)((uint64_t)sample->changed << 32 | sample->length);

	if (capacity < sample->length)
		expected = -ENOSPC;
	if (ret != expected || (ret > 0 && memcmp(out, sample->expected, sample->length) != 0)) {
		fprintf(stderr, "kernel %d, %u bytes of %u, capacity %u: %lld, not %lld\n", kernel,
			sample->bytes, sample->granule, capacity, (long long)ret,
			(long long)expected);
		abort();
	}
}

/* The same diff, after which the twin equals the page. */
static void check_keep(const struct sample *sample, int32_t kernel, uint8_t *out, uint32_t most)
{
	static uint8_t copies[16 + DSM_PAGE_BYTES_MAX + 64] __attribute__((aligned(64)));
	uint8_t *twin = copies + 16;
	int64_t expected = (int64_t)((uint64_t)sample->changed << 32 | sample->length);
	int64_t ret;

	memcpy(twin, sample->twin, sample->bytes);
	memset(twin + sample->bytes, 0xa5, 64);
	ret = dsm_diff_keep(kernel, sample->page, twin, sample->bytes, sample->granule, out,
			    most - 1);
	CHECK_EQUAL(-ENOSPC, ret);
	CHECK_EQUAL(0, memcmp(twin, sample->twin, sample->bytes));
	ret = dsm_diff_keep(kernel, sample->page, twin, sample->bytes, sample->granule, out, most);
	CHECK_EQUAL(expected, ret);
	CHECK_EQUAL(0, memcmp(out, sample->expected, sample->length));
	CHECK_EQUAL(0, memcmp(twin, sample->page, sample->bytes));
	for (uint32_t i = 0; i < 64; i++)
		CHECK_EQUAL(0xa5, twin[sample->bytes + i]);
}

static void check_sample(struct sample *sample, uint8_t *memory, uint64_t *seed)
{
	uint32_t most = (uint32_t)dsm_diff_bytes_max(sample->bytes, sample->granule);

	encode_plainly(sample);
	for (int32_t kernel = 0; kernel < DSM_KERNELS; kernel++) {
		if (dsm_kernel_runs(kernel) == 0)
			continue;
		check_capacity(sample, kernel, memory, most, most);
		check_keep(sample, kernel, memory, most);
		check_capacity(sample, kernel, memory, most, sample->length);
		if (sample->length == 0)
			continue;
		check_capacity(sample, kernel, memory, most, sample->length - 1);
		check_capacity(sample, kernel, memory, most,
			       (uint32_t)(random_next(seed) % (most + 1)));
	}
}

static uint8_t *new_memory(size_t bytes)
{
	void *memory;

	CHECK_EQUAL(0, posix_memalign(&memory, 64, bytes));
	return memory;
}

/* Memory of a page and its twin, aligned to 16 bytes and rarely to more. */
static struct sample new_sample(uint32_t bytes, uint32_t granule, uint64_t *seed,
				uint8_t **memory)
{
	size_t before = random_next(seed) % 4 * 16;
	size_t whole = before + bytes;
	struct sample sample = { .bytes = bytes, .granule = granule };
	uint32_t most = (uint32_t)dsm_diff_bytes_max(bytes, granule);

	memory[0] = new_memory(whole);
	memory[1] = new_memory(whole);
	memory[2] = malloc(most);
	memory[3] = malloc(most);
	CHECK(memory[2] != NULL && memory[3] != NULL);
	sample.page = memory[0] + before;
	sample.twin = memory[1] + before;
	sample.expected = memory[2];
	return sample;
}

static void free_memory(uint8_t **memory)
{
	for (int i = 0; i < 4; i++)
		free(memory[i]);
}

/*
 * Changes about the requested number of granules per 10000, single or in runs up to
 * `longest`.
 */
static void change(struct sample *sample, uint64_t rate, uint64_t longest, uint64_t *seed)
{
	uint32_t granules = sample->bytes / sample->granule;

	for (uint32_t i = 0; i < granules; i++) {
		uint64_t length;

		if (random_next(seed) % (10000 * (longest + 1) / 2) >= rate)
			continue;
		length = 1 + random_next(seed) % longest;
		for (; length > 0 && i < granules; length--, i++) {
			uint32_t at = (uint32_t)(random_next(seed) % sample->granule);

			sample->page[i * sample->granule + at] ^=
				(uint8_t)(1u << random_next(seed) % 8);
		}
	}
}

static void check_random_page(uint64_t *seed)
{
	static const uint32_t sizes[] = { 64,  128,  192,  256,  320,  512,   576,  1024,
					  960, 2048, 4096, 4096, 4160, 16384, 65472, 65536 };
	static const uint64_t rates[] = { 0, 10, 100, 1000, 3000, 5000, 9000, 9900, 10000 };
	static const uint64_t lengths[] = { 1, 1, 2, 9, 64, 65, 130, 5000 };
	uint64_t shape = random_next(seed);
	uint32_t bytes = sizes[shape % (shape >> 32 & 7 ? 13 : 16)]; /* most are small */
	uint32_t granule = 1u << (shape >> 40) % 4;
	uint8_t *memory[4];
	struct sample sample = new_sample(bytes, granule, seed, memory);

	for (uint32_t i = 0; i < bytes; i += 8) {
		uint64_t word = random_next(seed);

		memcpy(sample.twin + i, &word, sizeof(word));
	}
	memcpy(sample.page, sample.twin, bytes);
	change(&sample, rates[(shape >> 44) % 9], lengths[(shape >> 50) % 8], seed);
	check_sample(&sample, memory[3], seed);
	free_memory(memory);
}

/* A run from every granule to every other: across the borders of vectors, blocks and windows. */
static void check_borders(uint32_t granule)
{
	uint64_t seed = granule;
	uint8_t *memory[4];
	struct sample sample = new_sample(BORDER_BYTES, granule, &seed, memory);
	uint32_t granules = BORDER_BYTES / granule;

	memset(sample.page, 0, BORDER_BYTES);
	memset(sample.twin, 0, BORDER_BYTES);
	for (uint32_t first = 0; first < granules; first++) {
		for (uint32_t end = first; end < granules && end < first + 80; end++) {
			sample.page[end * granule + random_next(&seed) % granule] = 1;
			check_sample(&sample, memory[3], &seed);
		}
		memset(sample.page, 0, BORDER_BYTES);
	}
	free_memory(memory);
}

/* Runs of the largest length, and longer changes. */
static void check_longest_runs(void)
{
	uint64_t seed = 1;
	uint8_t *memory[4];
	struct sample sample = new_sample(DSM_PAGE_BYTES_MAX, 1, &seed, memory);

	memset(sample.page, 1, DSM_PAGE_BYTES_MAX);
	memset(sample.twin, 0, DSM_PAGE_BYTES_MAX);
	check_sample(&sample, memory[3], &seed);
	CHECK_EQUAL(DSM_PAGE_BYTES_MAX + 2 * 4, sample.length);
	sample.page[0] = 0;
	check_sample(&sample, memory[3], &seed);
	CHECK_EQUAL(DSM_PAGE_BYTES_MAX - 1 + 4, sample.length);
	sample.page[0] = 1;
	sample.page[DSM_PAGE_BYTES_MAX - 1] = 0;
	check_sample(&sample, memory[3], &seed);
	CHECK_EQUAL(DSM_PAGE_BYTES_MAX - 1 + 4, sample.length);
	free_memory(memory);
}

struct storer {
	uint8_t *page;
	uint32_t granule;
	volatile int stop;
	volatile uint64_t rounds;
};

/* Stores to a granule atomically, as applications do. */
static void store(volatile void *at, uint32_t granule, uint64_t value)
{
	switch (granule) {
	case 1:
		*(volatile uint8_t *)at = (uint8_t)value;
		break;
	case 2:
		*(volatile uint16_t *)at = (uint16_t)value;
		break;
	case 4:
		*(volatile uint32_t *)at = (uint32_t)value;
		break;
	default:
		*(volatile uint64_t *)at = value;
		break;
	}
}

/* Stores alternately zero and one repeated byte to every granule. */
static void *store_all_the_time(void *argument)
{
	struct storer *storer = argument;

	while (storer->stop == 0) {
		uint64_t byte = storer->rounds % 2 * (1 + storer->rounds % 254);

		for (uint32_t i = 0; i < 4096; i += storer->granule)
			store(storer->page + i, storer->granule,
			      byte * UINT64_C(0x0101010101010101));
		storer->rounds++;
	}
	return NULL;
}

/*
 * Returns the number of granules of a diff; each differs from the twin's zero and is not
 * torn.
 */
static uint32_t check_stored_granules(const uint8_t *diff, uint32_t length, uint32_t granule)
{
	uint32_t granules = 0;

	for (uint32_t at = 0; at < length;) {
		uint32_t count = (uint32_t)(diff[at + 2] | diff[at + 3] << 8);

		at += 4;
		granules += count;
		for (; count > 0; count--, at += granule) {
			CHECK(diff[at] != 0);
			for (uint32_t i = 1; i < granule; i++)
				CHECK_EQUAL(diff[at], diff[at + i]);
		}
	}
	return granules;
}

/*
 * The compared bytes are the sent ones, and no granule is torn, while another thread
 * stores.
 */
static void check_stores_meanwhile(int32_t kernel, uint32_t granule)
{
	struct storer storer = { .granule = granule };
	uint32_t most = (uint32_t)dsm_diff_bytes_max(4096, granule);
	uint8_t *twin = aligned_alloc(64, 4096);
	uint8_t *out = malloc(most);
	uint32_t mixed = 0;
	uint64_t diffs = 0;
	pthread_t thread;

	storer.page = aligned_alloc(64, 4096);
	CHECK(twin != NULL && out != NULL && storer.page != NULL);
	memset(twin, 0, 4096);
	memset(storer.page, 0, 4096);
	CHECK_EQUAL(0, pthread_create(&thread, NULL, store_all_the_time, &storer));
	while (diffs < RACE_DIFFS || mixed < 10) {
		int64_t ret = dsm_diff(kernel, storer.page, twin, 4096, granule, out, most);
		uint32_t granules = check_stored_granules(out, (uint32_t)ret, granule);

		CHECK_EQUAL(ret >> 32, granules);
		mixed += granules > 0 && granules < 4096 / granule;
		diffs++;
	}
	storer.stop = 1;
	pthread_join(thread, NULL);
	free(storer.page);
	free(out);
	free(twin);
}

/* Another node's copy, to which only the diffs are applied. */
static void check_kept_stores(int32_t kernel, uint32_t granule)
{
	struct storer storer = { .granule = granule };
	uint32_t most = (uint32_t)dsm_diff_bytes_max(4096, granule);
	uint8_t *twin = aligned_alloc(64, 4096);
	uint8_t *copy = aligned_alloc(64, 4096);
	uint8_t *out = malloc(most);
	uint64_t diffs = 0;
	int64_t length = 1;
	pthread_t thread;

	storer.page = aligned_alloc(64, 4096);
	CHECK(twin != NULL && copy != NULL && out != NULL && storer.page != NULL);
	memset(twin, 0, 4096);
	memset(copy, 0, 4096);
	memset(storer.page, 0, 4096);
	CHECK_EQUAL(0, pthread_create(&thread, NULL, store_all_the_time, &storer));
	while (length != 0) { /* one more comparison after the last store */
		if (diffs == RACE_DIFFS) {
			storer.stop = 1;
			pthread_join(thread, NULL);
		}
		length = (int64_t)(uint32_t)dsm_diff_keep(kernel, storer.page, twin, 4096, granule,
							  out, most);
		CHECK_EQUAL(0, dsm_apply(out, (uint32_t)length, copy, NULL, 4096, granule));
		CHECK_EQUAL(0, memcmp(twin, copy, 4096));
		diffs++;
		if (diffs <= RACE_DIFFS)
			length = 1;
	}
	CHECK_EQUAL(0, memcmp(storer.page, copy, 4096));
	free(storer.page);
	free(out);
	free(copy);
	free(twin);
}

void test_random_pages(uint64_t pages)
{
	uint64_t seed = pages;

	for (uint64_t i = 0; i < pages; i++)
		check_random_page(&seed);
	for (int32_t kernel = 0; kernel < DSM_KERNELS; kernel++)
		if (dsm_kernel_runs(kernel) != 0)
			printf("kernel %d: %llu random pages as the oracle\n", kernel,
			       (unsigned long long)pages);
}

void test_kernels(void)
{
	uint8_t none[64] __attribute__((aligned(64))) = { 0 };

	CHECK_EQUAL(1, dsm_kernel_runs(DSM_KERNEL_PORTABLE));
	CHECK_EQUAL(1, dsm_kernel_runs(dsm_kernel_best()));
	CHECK_EQUAL(-EINVAL, dsm_kernel_runs(DSM_KERNELS));
	CHECK_EQUAL(-EINVAL, dsm_kernel_runs(-1));
	CHECK_EQUAL(-EINVAL, dsm_diff(DSM_KERNELS, none, none, 64, 8, none, 64));
	for (uint32_t granule = 1; granule <= 8; granule *= 2) {
		check_borders(granule);
		for (int32_t kernel = 0; kernel < DSM_KERNELS; kernel++)
			if (dsm_kernel_runs(kernel) != 0) {
				check_stores_meanwhile(kernel, granule);
				check_kept_stores(kernel, granule);
			}
	}
	check_longest_runs();
	for (uint64_t seed = 0, i = 0; i < PAGES; i++)
		check_random_page(&seed);
}
