/* How an agent asks the protector of its application for access. */
#ifndef DSM_REQUEST_H
#define DSM_REQUEST_H

#include <stdint.h>

#include "traps.h"

/*
 * Has the protector give `access`, and waits for that. Returns 0 or the -errno of its
 * system call; -ESRCH if `life`, a socket to its application, has ended;
 * -ETIMEDOUT if it answers nothing.
 */
int dsm_request_send(struct dsm_request *request, int life, uint64_t offset, uint64_t bytes,
		   uint32_t access);

#endif
