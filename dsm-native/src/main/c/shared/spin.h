/*
 * Polls for a condition for a bounded time before the thread blocks. The time adapts: it is
 * halved after each unsuccessful poll, down to a single look, and reset to the bound after
 * a thread has blocked for less than the bound. The thread yields after each look. If
 * another thread took the CPU then, polling ends, because there are more threads than CPUs.
 */
#ifndef DSM_SPIN_H
#define DSM_SPIN_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

/* A yield is much shorter than this if no thread takes the CPU, and much longer otherwise. */
#define DSM_SPIN_TAKEN_NANOS 10000

struct dsm_spin {
	int64_t bound_nanos; /* 0: never polls */
	int64_t budget_nanos;
};

static inline int64_t dsm_spin_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Returns 1 when the condition holds, 0 if it did not in time. */
static inline int dsm_spin(struct dsm_spin *spin, int (*is_there)(const void *), const void *what)
{
	int64_t start;
	int64_t now;

	if (spin->bound_nanos == 0)
		return 0;
	start = dsm_spin_now();
	now = start;
	do {
		int64_t before = now;

		if (is_there(what))
			return 1;
		sched_yield();
		now = dsm_spin_now();
		if (now - before > DSM_SPIN_TAKEN_NANOS)
			break;
	} while (now - start < spin->budget_nanos);
	spin->budget_nanos /= 2;
	return 0;
}

/* Called before a wait of `millis`. Pass its result to dsm_spin_blocked(). */
static inline int64_t dsm_spin_blocks(const struct dsm_spin *spin, int32_t millis)
{
	return spin->bound_nanos != 0 && millis != 0 ? dsm_spin_now() : 0;
}

/* Called after that wait. */
static inline void dsm_spin_blocked(struct dsm_spin *spin, int64_t since)
{
	if (since != 0 && dsm_spin_now() - since < spin->bound_nanos)
		spin->budget_nanos = spin->bound_nanos;
}

#endif
