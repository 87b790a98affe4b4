/* Accepts a thread's connection, for the tests of its socket and of its mailbox. */
#ifndef DSM_LISTEN_H
#define DSM_LISTEN_H

#include "check.h"
#include "socket.h"

/* A listening stream socket at the abstract address `name`. */
static inline int listen_at(const char *name)
{
	struct sockaddr_un address;
	int length = dsm_abstract_address(name, &address);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(length > 0);
	CHECK_EQUAL(0, bind(fd, (const struct sockaddr *)&address, (socklen_t)length));
	CHECK_EQUAL(0, listen(fd, 4));
	return fd;
}

#endif
