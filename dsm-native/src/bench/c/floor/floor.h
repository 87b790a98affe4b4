/*
 * What the machine itself takes for the steps that a distributed shared memory is
 * made of. Each floor prints one line: its name, the median, the 99th percentile
 * and the number of samples; times in nanoseconds.
 */
#ifndef DSM_FLOOR_H
#define DSM_FLOOR_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define PAGE_BYTES 4096u
#define SAMPLES_MAX 100000u
#define MISSING "uffd-missing"

/* Samples of one floor. */
struct series {
	const char *name;
	uint32_t count;
	uint32_t wanted;
	double nanos[SAMPLES_MAX];
};

static inline double now_nanos(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Empties the series; the first tenth of what is then added is warm-up and forgotten. */
void series_begin(struct series *series, const char *name, uint32_t wanted);
void series_add(struct series *series, double nanos);
int series_is_full(const struct series *series);

/* Of what counts, which tenth comes next: 0 to 9; negative in the warm-up. */
int series_tenth(const struct series *series);
void series_print(struct series *series);

/* Says that a floor cannot be measured here, and why. */
void print_unavailable(const char *name, const char *call, int error);

/* Ends the program with what failed. */
void fail(const char *call);

/*
 * Turns that processes take which are measured against each other, so that all meet
 * the same seconds of a machine that is slower in some. Opens this process's end, if
 * its environment says that turns are taken; otherwise returns a negative number.
 */
int turns_open(void);
void turns_await(int turns);
void turns_pass(int turns);

/* Ends the last turn of this process, and waits for those of others. */
void turns_pass_last(int turns);

/* As fork(), but the child never outlives this process. */
pid_t fork_child(void);

/* Page faults: in a handler of the faulting thread, and in another process. */
void measure_faults(struct series *series, uint32_t samples);

/* Missing pages that another process fills, alone; by turns where turns are taken. */
void measure_missing(struct series *series, uint32_t samples);

/* Round trips between two processes over TCP and over a Unix socket. */
void measure_sockets(struct series *series, uint32_t samples);

/* Reads so much other memory that a processor's own caches hold little else. */
void empty_caches(void);

/* Copying and comparing pages that are in the caches, and comparing some that are not. */
void measure_memory(struct series *series, uint32_t samples);

#endif
