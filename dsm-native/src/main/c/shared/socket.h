/* The packets of an attach, common to both ends, and its abstract Unix addresses. */
#ifndef DSM_SOCKET_H
#define DSM_SOCKET_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "dsm_fault.h"

#define DSM_ATTACH_MAGIC UINT32_C(0x4e494e4d) /* "MNIN" */
#define DSM_VERDICT_MAGIC UINT32_C(0x5244564d) /* "MVDR" */
#define DSM_ATTACH_FDS_MAX 6
#define DSM_ATTACH_ASK UINT32_C(1) /* requests the node's memory; carries no descriptors */

/*
 * The packet by which a process attaches; it carries its descriptors. A process other than
 * the first asks for the memory before: the verdict on that carries the descriptors of the
 * memory.
 */
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
	uint32_t flags;
	uint16_t process;
	uint16_t processes; /* of the node */
	uint8_t token[DSM_TOKEN_BYTES];
};

_Static_assert(sizeof(struct dsm_attach) == 88, "dsm_attach");
_Static_assert(offsetof(struct dsm_attach, token) == 56, "dsm_attach.token");

static inline int dsm_has_uffd(int32_t kind)
{
	return kind != DSM_ENGINE_MPROTECT_SIGNAL;
}

static inline int dsm_has_traps(int32_t kind)
{
	return kind != DSM_ENGINE_UFFD_EVENT;
}

/*
 * The descriptors of a node's memory, in this order: regions, control; with a signal engine
 * traps, twins and an eventfd. The first process attaches with them, followed by its
 * userfaultfd if it has one; the others attach with their userfaultfd only.
 */
#define DSM_FD_REGIONS 0
#define DSM_FD_CONTROL 1
#define DSM_FD_TRAPS 2
#define DSM_FD_TWINS 3
#define DSM_FD_EVENT 4

static inline uint32_t dsm_memory_fds(int32_t kind)
{
	return dsm_has_traps(kind) ? 5 : 2;
}

static inline uint32_t dsm_attach_fds(int32_t kind, uint32_t process)
{
	return (process == 0 ? dsm_memory_fds(kind) : 0) + (dsm_has_uffd(kind) ? 1 : 0);
}

/* Sends a packet with descriptors, at most DSM_ATTACH_FDS_MAX. Returns 0 or -errno. */
static inline int dsm_send_with(int fd, const void *packet, size_t bytes, const int *fds,
				uint32_t count, int flags)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(DSM_ATTACH_FDS_MAX * sizeof(int))];
	} control = { .bytes = { 0 } };
	struct iovec part = { .iov_base = (void *)(uintptr_t)packet, .iov_len = bytes };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t sent;

	if (count > 0) {
		struct cmsghdr *rights = &control.header;

		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
	}
	do {
		sent = sendmsg(fd, &message, MSG_NOSIGNAL | flags);
	} while (sent < 0 && errno == EINTR);
	if (sent < 0)
		return -errno;
	return sent == (ssize_t)bytes ? 0 : -EIO;
}

/* Takes the descriptors of a received message. Returns their number. */
static inline uint32_t dsm_take_rights(struct msghdr *message, int fds[DSM_ATTACH_FDS_MAX])
{
	uint32_t count = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
		size_t bytes = c->cmsg_len - CMSG_LEN(0);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		/* The caller's buffer has room for DSM_ATTACH_FDS_MAX descriptors only. */
		memcpy(fds, CMSG_DATA(c), bytes);
		count = (uint32_t)(bytes / sizeof(int));
	}
	return count;
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
