/*
 * The protector of an engine with mprotect: a task that shares the application's memory but
 * is not one of its threads, so that stopping the application does not stop it. It changes
 * the access of the application's pages on request of the agent.
 */
#ifndef DSM_PROTECTOR_H
#define DSM_PROTECTOR_H

#include <stdint.h>
#include <sys/types.h>

#include "traps.h"

/* Must exist as long as the protector. */
struct dsm_protector {
	struct dsm_request *request;
	uint8_t *region;
	uint64_t region_bytes;
	int nothing_fd; /* an empty file; permanently discarded pages are mapped to it */
	pid_t parent;
	unsigned int fd_limit;
};

/* Starts a protector that ends with the calling thread. Returns its id or -errno. */
int dsm_protector_start(struct dsm_protector *protector);

/* Opens a file that stays empty. Returns its descriptor or -errno. */
int dsm_protector_nothing(void);

#endif
