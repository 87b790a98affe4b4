/*
 * Measures the floors: the times that the machine itself takes for the elementary steps
 * of a distributed shared memory. Each floor prints one line: its name, the median, the
 * 99th percentile and the number of samples; times in nanoseconds.
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

/* Empties the series. The first tenth of the samples is warm-up and is dropped. */
void series_begin(struct series *series, const char *name, uint32_t wanted);
void series_add(struct series *series, double nanos);
int series_is_full(const struct series *series);

/* Returns the tenth that the next sample is in: 0 to 9; negative in the warm-up. */
int series_tenth(const struct series *series);
void series_print(struct series *series);

/* Prints that a floor cannot be measured here, and the reason. */
void print_unavailable(const char *name, const char *call, int error);

/* Prints the call that failed, and ends the program. */
void fail(const char *call);

/*
 * Processes that are compared with each other run in turns, so that slow seconds of the
 * machine affect all of them alike. Opens this process's end of the connection if its
 * environment asks for turns; otherwise returns a negative number.
 */
int turns_open(void);
void turns_await(int turns);
void turns_pass(int turns);

/* Ends the last turn of this process, and waits until the other processes end theirs. */
void turns_pass_last(int turns);

/* As fork(), but the child never outlives this process. */
pid_t fork_child(void);

/* Page faults: in a handler of the faulting thread, and in another process. */
void measure_faults(struct series *series, uint32_t samples);

/* Only missing pages that another process fills; in turns if the environment asks for them. */
void measure_missing(struct series *series, uint32_t samples);

/* Round trips between two processes over TCP and over a Unix socket. */
void measure_sockets(struct series *series, uint32_t samples);

/* Reads so much other memory that the private caches of a processor hold little else. */
void empty_caches(void);

/* Copying and comparing pages that are in the caches, and comparing some that are not. */
void measure_memory(struct series *series, uint32_t samples);

#endif
