/*
 *   sh dsm-native/src/main/c/build.sh floors dsm-native/target/native-bench
 *   dsm-native/target/native-bench/dsm_floors [SAMPLES [uffd-missing]]
 */
#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define WARM_UP_SHARE 10

void series_begin(struct series *series, const char *name, uint32_t wanted)
{
	series->name = name;
	series->count = 0;
	series->wanted = wanted + wanted / WARM_UP_SHARE;
}

void series_add(struct series *series, double nanos)
{
	if (series->count < series->wanted)
		series->nanos[series->count++] = nanos;
}

int series_is_full(const struct series *series)
{
	return series->count == series->wanted;
}

int series_tenth(const struct series *series)
{
	return (int)((uint64_t)series->count * (WARM_UP_SHARE + 1) / series->wanted) - 1;
}

static int ascending(const void *one, const void *other)
{
	double a = *(const double *)one;
	double b = *(const double *)other;

	return (a > b) - (a < b);
}

void series_print(struct series *series)
{
	uint32_t warm_up = series->count / (WARM_UP_SHARE + 1);
	double *samples = series->nanos + warm_up;
	uint32_t count = series->count - warm_up;

	qsort(samples, count, sizeof(double), ascending);
	printf("%s %.1f %.1f %u\n", series->name, samples[count / 2],
	       samples[(uint64_t)count * 99 / 100], count);
	fflush(stdout);
}

void print_unavailable(const char *name, const char *call, int error)
{
	printf("%s unavailable %s: %s\n", name, call, strerror(error));
	fflush(stdout);
}

void fail(const char *call)
{
	fprintf(stderr, "dsm_floors: %s: %s\n", call, strerror(errno));
	exit(1);
}

pid_t fork_child(void)
{
	pid_t parent = getpid();
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child < 0)
		fail("fork");
	if (child == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
			fail("prctl");
		if (getppid() != parent)
			_exit(1); /* it was gone before */
	}
	return child;
}

int main(int count, char **arguments)
{
	static struct series series;
	long samples = count > 1 ? strtol(arguments[1], NULL, 10) : 10000;
	int is_alone = count > 2 && strcmp(arguments[2], MISSING) == 0;

	if (samples < 1 || count > 2 + is_alone || (unsigned long)samples > SAMPLES_MAX / 2) {
		fprintf(stderr, "usage: dsm_floors [SAMPLES [" MISSING "]], 1 to %u\n",
			SAMPLES_MAX / 2);
		return 2;
	}
	if (is_alone) {
		measure_missing(&series, (uint32_t)samples);
		return 0;
	}
	measure_memory(&series, (uint32_t)samples);
	measure_sockets(&series, (uint32_t)samples);
	measure_faults(&series, (uint32_t)samples);
	return 0;
}
