/*
 * The warden of an engine with mprotect: a task that shares the application's memory
 * and is none of its threads, so that what stops the application does
 * not stop it. It changes what the application's threads may do, as their agent asks.
 */
#ifndef DSM_WARDEN_H
#define DSM_WARDEN_H

#include <stdint.h>
#include <sys/types.h>

#include "traps.h"

/* Lives as long as the warden. */
struct dsm_warden {
	struct dsm_errand *errand;
	uint8_t *region;
	uint64_t region_bytes;
	int nothing_fd; /* an empty file: a page that is mapped to it has ended */
	pid_t parent;
	unsigned int fd_limit;
};

/* Starts a warden that ends with the calling thread. Returns its id or -errno. */
int dsm_warden_start(struct dsm_warden *warden);

/* A file that stays empty, or -errno. */
int dsm_warden_nothing(void);

/*
 * Has the warden give `access`, and waits for that. Returns 0 or the -errno of its
 * system call; -ESRCH if `life`, a socket to its application, has ended;
 * -ETIMEDOUT if it answers nothing.
 */
int dsm_warden_ask(struct dsm_errand *errand, int life, uint64_t offset, uint64_t bytes,
		   uint32_t access);

#endif
