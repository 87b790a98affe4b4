/*
 * An application whose accesses a test commands. It starts in a hundredth of the time of a
 * JVM, for tests to which the application's language does not matter.
 *   page_threads SOCKET TOKEN NODE LOSS_MILLIS REGION_BYTES CONTROL_BYTES WATCH_OFFSET KIND
 * TOKEN is in hexadecimal, KIND is the name of an engine. It prints "attached", or the
 * reason of a refusal. Then each line of its input is one access, in a thread of its own,
 * and each line that it prints is the result of one:
 *   LABEL get OFFSET           LABEL VALUE
 *   LABEL put OFFSET VALUE     LABEL stored
 *   LABEL add OFFSET COUNT     LABEL added, when 1 has been added so often to one word in
 *                              each of the pages in turn, at this offset of the page
 *   LABEL count OFFSET         LABEL counted, when the control memory's first word is not 0;
 *                              until then it stores 1, 2, 3 ...
 *   LABEL silence MILLIS       LABEL allowed
 * The result of an access to a poisoned page is "LABEL error". The line "exit STATUS" ends it.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsm_fault.h"

#define LINE_BYTES 256
#define WORD_BYTES 64
#define ARGUMENTS 9

struct command {
	char label[WORD_BYTES];
	char verb[WORD_BYTES];
	uint64_t offset;
	uint64_t value;
};

static const char *const kinds[DSM_ENGINE_KINDS] = { "uffd+event", "uffd+signal",
						     "mprotect+signal" };
static struct dsm_mapping *mapping;
static uint64_t region_bytes;
static _Thread_local sigjmp_buf poisoned;

static uint64_t *word_at(uint64_t offset)
{
	return (uint64_t *)(uintptr_t)(dsm_mapping_region(mapping) + offset);
}

/* A load and a store, each of which may fault: never one instruction that does both. */
static uint64_t load(uint64_t offset)
{
	return __atomic_load_n(word_at(offset), __ATOMIC_SEQ_CST);
}

static void store(uint64_t offset, uint64_t value)
{
	__atomic_store_n(word_at(offset), value, __ATOMIC_RELEASE);
}

static void add(uint64_t offset, uint64_t count)
{
	uint64_t page_bytes = (uint64_t)dsm_page_bytes();

	for (uint64_t i = 0; i < count; i++) {
		uint64_t at = i % (region_bytes / page_bytes) * page_bytes + offset;

		store(at, load(at) + 1);
	}
}

static void count_up(uint64_t offset)
{
	uint64_t *end = (uint64_t *)(uintptr_t)dsm_mapping_control(mapping);

	for (uint64_t i = 1; __atomic_load_n(end, __ATOMIC_SEQ_CST) == 0; i++)
		store(offset, i);
}

static void on_bus_error(int signal)
{
	(void)signal;
	siglongjmp(poisoned, 1);
}

static void access_memory(const struct command *command)
{
	const char *label = command->label;

	if (strcmp(command->verb, "get") == 0) {
		printf("%s %" PRIu64 "\n", label, load(command->offset));
	} else if (strcmp(command->verb, "put") == 0) {
		store(command->offset, command->value);
		printf("%s stored\n", label);
	} else if (strcmp(command->verb, "add") == 0) {
		add(command->offset, command->value);
		printf("%s added\n", label);
	} else if (strcmp(command->verb, "count") == 0) {
		count_up(command->offset);
		printf("%s counted\n", label);
	} else if (strcmp(command->verb, "silence") == 0) {
		dsm_mapping_allow_silence(mapping, (int32_t)command->offset);
		printf("%s allowed\n", label);
	} else {
		fprintf(stderr, "page_threads: unknown command '%s'\n", command->verb);
		exit(2);
	}
}

static void *obey(void *argument)
{
	const struct command *command = argument;

	if (sigsetjmp(poisoned, 1) == 0)
		access_memory(command);
	else
		printf("%s error\n", command->label);
	free(argument);
	return NULL;
}

static void start_access(const char *line)
{
	struct command *command = calloc(1, sizeof(*command));
	pthread_t thread;

	if (command == NULL ||
	    sscanf(line, "%63s %63s %" SCNu64 " %" SCNu64, command->label, command->verb,
		   &command->offset, &command->value) < 3 ||
	    pthread_create(&thread, NULL, obey, command) != 0 || pthread_detach(thread) != 0) {
		fprintf(stderr, "page_threads: cannot obey '%s'\n", line);
		exit(2);
	}
}

static void read_token(const char *hexadecimal, uint8_t *token)
{
	for (size_t i = 0; i < DSM_TOKEN_BYTES; i++) {
		if (sscanf(hexadecimal + 2 * i, "%2" SCNx8, &token[i]) != 1)
			exit(2);
	}
}

static int32_t kind_named(const char *name)
{
	for (int32_t kind = 0; kind < DSM_ENGINE_KINDS; kind++) {
		if (strcmp(name, kinds[kind]) == 0)
			return kind;
	}
	exit(2);
}

static void attach(char **arguments)
{
	struct dsm_open_report report;
	struct dsm_verdict verdict;
	uint8_t token[DSM_TOKEN_BYTES];
	int32_t result;

	read_token(arguments[2], token);
	region_bytes = strtoull(arguments[5], NULL, 10);
	result = dsm_mapping_open(kind_named(arguments[8]), 1, region_bytes,
				  strtoull(arguments[6], NULL, 10),
				  strtoull(arguments[7], NULL, 10), &mapping, &report);
	if (result < 0) {
		printf("dsm_mapping_open failed: %s\n", strerror(-result));
		exit(1);
	}
	result = dsm_mapping_attach(mapping, arguments[1], token,
				    (int32_t)strtol(arguments[3], NULL, 10),
				    (int32_t)strtol(arguments[4], NULL, 10), &verdict);
	if (result < 0) {
		printf("dsm_mapping_attach failed: %s; %s\n", strerror(-result), verdict.text);
		exit(1);
	}
	puts("attached");
}

int main(int count, char **arguments)
{
	struct sigaction action = { .sa_handler = on_bus_error };
	char line[LINE_BYTES];
	int status;

	if (count != ARGUMENTS) {
		fprintf(stderr, "usage: page_threads SOCKET TOKEN NODE LOSS_MILLIS REGION_BYTES "
				"CONTROL_BYTES WATCH_OFFSET KIND\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	/* Before the mapping: its own handler passes on what is not of a trapped page. */
	sigaction(SIGBUS, &action, NULL);
	attach(arguments);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line, "exit %d", &status) == 1)
			return status;
		start_access(line);
	}
	return 0;
}
