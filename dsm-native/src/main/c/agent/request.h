/* An agent's requests for access to the protector of its application. */
#ifndef DSM_REQUEST_H
#define DSM_REQUEST_H

#include <stdint.h>

#include "traps.h"

/*
 * Requests `access` from the protector and waits for the answer. Returns 0 or the -errno of
 * the protector's system call; -ESRCH if `life`, a socket to the application, is closed;
 * -ETIMEDOUT if the protector does not answer.
 */
int dsm_request_send(struct dsm_request *request, int life, uint64_t offset, uint64_t bytes,
		   uint32_t access);

#endif
