/* The packets of an attach, common to both ends, and its abstract Unix addresses. */
#ifndef DSM_SOCKET_H
#define DSM_SOCKET_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "dsm_fault.h"

#define DSM_ATTACH_MAGIC UINT32_C(0x4e494e4d) /* "MNIN" */
#define DSM_VERDICT_MAGIC UINT32_C(0x5244564d) /* "MVDR" */
#define DSM_ATTACH_FDS_MAX 6

/* The first packet of an application; it carries the descriptors. */
struct dsm_attach {
	uint32_t magic;
	uint32_t abi;
	int32_t node;
	int32_t way;
	uint64_t base;
	uint64_t region_bytes;
	uint64_t control_bytes;
	uint32_t page_bytes;
	int32_t kind; /* enum dsm_engine_kind */
	uint8_t token[DSM_TOKEN_BYTES];
};

_Static_assert(sizeof(struct dsm_attach) == 80, "dsm_attach");
_Static_assert(offsetof(struct dsm_attach, token) == 48, "dsm_attach.token");

static inline int dsm_has_uffd(int32_t kind)
{
	return kind != DSM_ENGINE_MPROTECT_SIGNAL;
}

static inline int dsm_has_traps(int32_t kind)
{
	return kind != DSM_ENGINE_UFFD_EVENT;
}

/*
 * The descriptors sent with an attach, in this order: regions, control; the userfaultfd, if
 * there is one; with a signal engine traps, twins and an eventfd.
 */
static inline uint32_t dsm_attach_traps_at(int32_t kind)
{
	return dsm_has_uffd(kind) ? 3 : 2;
}

static inline uint32_t dsm_attach_fds(int32_t kind)
{
	return dsm_attach_traps_at(kind) + (dsm_has_traps(kind) ? 3 : 0);
}

/* Fills an abstract address; returns its length or -EINVAL for an empty or long name. */
static inline int dsm_abstract_address(const char *name, struct sockaddr_un *address)
{
	size_t bytes = strlen(name);

	if (bytes == 0 || bytes > DSM_NAME_BYTES_MAX)
		return -EINVAL;
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	memcpy(address->sun_path + 1, name, bytes);
	return (int)(offsetof(struct sockaddr_un, sun_path) + 1 + bytes);
}

/*
 * The process at the other end, as it was when it connected or began to listen. Abstract
 * addresses have no permissions, so this check is the only one against other users. A user
 * of -1 means that the kernel could not report it.
 */
static inline struct ucred dsm_peer(int fd)
{
	struct ucred peer;
	socklen_t bytes = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) < 0)
		peer = (struct ucred){ .pid = 0, .uid = (uid_t)-1, .gid = (gid_t)-1 };
	return peer;
}

#endif
