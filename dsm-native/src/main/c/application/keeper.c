/*
 * A thread of the application that starts the protector and waits for it. The protector
 * ends with the thread, and the application ends with the protector. Plain C, no Java.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>

#include "node_memory.h"
#include "process.h"

struct start {
	struct dsm_mapping *mapping;
	sem_t known;
	int result;
};

static _Noreturn void end_without_protector(const struct dsm_mapping *mapping, int status)
{
	char text[DSM_TEXT_MAX];
	char who[32] = "";
	int node = __atomic_load_n(&mapping->node, __ATOMIC_RELAXED);
	int bytes;

	if (node >= 0)
		snprintf(who, sizeof(who), "node %d: ", node);
	bytes = snprintf(text, sizeof(text),
			 "muninn: %sthe task that changes the access of pages was ended (%s %d); "
			 "ending the application\n",
			 who, WIFSIGNALED(status) ? "signal" : "status",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));

	dsm_process_end(DSM_STATUS_AGENT_GONE, text, bytes > 0 ? (size_t)bytes : 0);
}

static void *keep(void *argument)
{
	struct start *start = argument;
	struct dsm_mapping *mapping = start->mapping;
	int protector = dsm_protector_start(&mapping->protector);
	int status = 0;

	if (protector > 0)
		mapping->traps->processes[mapping->process].protector = (uint32_t)protector;
	start->result = protector;
	sem_post(&start->known); /* `start` is invalid afterwards */
	if (protector < 0)
		return NULL;
	/* Only this flag waits for a child that sends no signal at its end. */
	while (waitpid(protector, &status, __WALL) < 0) {
		if (errno != EINTR)
			break; /* another thread has waited for it */
	}
	end_without_protector(mapping, status);
}

int dsm_keeper_start(struct dsm_mapping *mapping)
{
	struct start start = { .mapping = mapping };
	int ret;

	if (sem_init(&start.known, 0, 0) < 0)
		return -errno;
	ret = dsm_thread_start(keep, &start, "muninn-keeper");
	if (ret < 0)
		return ret;
	while (sem_wait(&start.known) < 0 && errno == EINTR) {
	}
	sem_destroy(&start.known);
	return start.result < 0 ? start.result : 0;
}
