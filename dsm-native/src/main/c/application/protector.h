/*
 * The protector of an engine with mprotect: a task that shares the application's memory
 * and is none of its threads, so that what stops the application does
 * not stop it. It changes what the application's threads may do, as their agent asks.
 */
#ifndef DSM_PROTECTOR_H
#define DSM_PROTECTOR_H

#include <stdint.h>
#include <sys/types.h>

#include "traps.h"

/* Lives as long as the protector. */
struct dsm_protector {
	struct dsm_request *request;
	uint8_t *region;
	uint64_t region_bytes;
	int nothing_fd; /* an empty file: a page that is mapped to it has ended */
	pid_t parent;
	unsigned int fd_limit;
};

/* Starts a protector that ends with the calling thread. Returns its id or -errno. */
int dsm_protector_start(struct dsm_protector *protector);

/* A file that stays empty, or -errno. */
int dsm_protector_nothing(void);

#endif
