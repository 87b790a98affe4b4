#include "floor.h"

#include <stdio.h>
#include <stdlib.h>

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
