#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

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
			_exit(1); /* the parent ended earlier */
	}
	return child;
}
