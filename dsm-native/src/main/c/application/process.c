/* Operations of the application's native threads on their process, without Java. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

#define THREAD_STACK_BYTES (256 * 1024)
#define STDERR_WAIT_MILLIS 1000
#define WAIT_PARTS 5

static int64_t now_millis(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int dsm_wait_for(int fd, short events, int64_t millis)
{
	struct pollfd target = { .fd = fd, .events = events };
	int64_t deadline = now_millis() + millis;
	int64_t left = millis;

	for (;;) {
		int ret = poll(&target, 1, (int)(left < 0 ? 0 : left));

		if (ret >= 0)
			return ret;
		if (errno != EINTR)
			return -errno;
		left = deadline - now_millis();
	}
}

int dsm_wait_awake(int fd, short events, int64_t millis)
{
	int64_t part = (millis + WAIT_PARTS - 1) / WAIT_PARTS;
	int ret = 0;

	for (int i = 0; i <= WAIT_PARTS && ret == 0; i++)
		ret = dsm_wait_for(fd, events, part);
	return ret;
}

void dsm_process_print(const char *text, size_t bytes)
{
	if (bytes > 0 && dsm_wait_for(STDERR_FILENO, POLLOUT, STDERR_WAIT_MILLIS) > 0) {
		/* One write, smaller than a pipe's page: all of it or nothing. */
		ssize_t written = write(STDERR_FILENO, text, bytes);

		(void)written; /* the caller goes on either way */
	}
}

void dsm_process_file(const void *address, char *path, size_t capacity)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4096];

	snprintf(path, capacity, "another library");
	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		const char *file = strchr(line, '/');
		uintptr_t first;
		uintptr_t end;

		if (file != NULL && sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &first, &end) == 2 &&
		    first <= (uintptr_t)address && (uintptr_t)address < end)
			snprintf(path, capacity, "%.*s", (int)strcspn(file, "\n"), file);
	}
	if (maps != NULL)
		fclose(maps);
}

_Noreturn void dsm_process_end(int status, const char *text, size_t bytes)
{
	dsm_process_print(text, bytes);
	_exit(status);
}

/* The thread blocks all signals, which are for the JVM's threads. */
int dsm_thread_start(void *(*run)(void *), void *argument, const char *name)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int ret;

	ret = pthread_attr_init(&attributes);
	if (ret != 0)
		return -ret;
	sigfillset(&all);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&thread, &attributes, run, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	if (ret == 0)
		pthread_setname_np(thread, name);
	return -ret;
}
