/* Common to the C tests: one macro, one random generator, and the list of tests. */
#ifndef DSM_CHECK_H
#define DSM_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints both sides as signed numbers if they differ. */
#define CHECK_EQUAL(expected, actual)                                                        \
	do {                                                                                 \
		long long expected_ = (long long)(expected);                                 \
		long long actual_ = (long long)(actual);                                     \
		if (expected_ != actual_) {                                                  \
			fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, \
				#actual, actual_, expected_);                                \
			abort();                                                             \
		}                                                                            \
	} while (0)

#define CHECK(condition) CHECK_EQUAL(1, (condition) ? 1 : 0)

/* SplitMix64. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void test_kernels(void);
void test_random_pages(uint64_t pages);
void test_diff(void);
void test_twin(void);
void test_attach(void);
void test_trap(void);
void test_protect(void);
void test_siblings(void);
void test_pool(void);
void test_call(void);
void test_mailbox(void);
void test_probe(void);
void test_batch(void);
void test_install(void);
void test_quit(void);
void test_foreign(void);

#endif
