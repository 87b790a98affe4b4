/*
 *   sh dsm-native/src/main/c/build.sh floors dsm-native/target/native-bench
 *   dsm-native/target/native-bench/dsm_floors [SAMPLES [uffd-missing]]
 */
#define _GNU_SOURCE
#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
