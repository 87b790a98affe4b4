/* The memory of rings between two agents, and their notifications. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dsm_fault.h"
#include "memory.h"
#include "ring.h"
#include "traps.h"

#define RINGS 2
#define COPIES 2

static uint64_t header_bytes(void)
{
	return (uint64_t)dsm_page_bytes();
}

static uint64_t file_bytes(void)
{
	return header_bytes() + RINGS * DSM_RING_BYTES;
}

static uint64_t address_bytes(void)
{
	return header_bytes() + RINGS * COPIES * DSM_RING_BYTES;
}

/*
 * Creates the memory, all zero, and the eventfds of both ends. The process of the other end
 * must receive these descriptors in this order. Returns 0, or -errno with everything
 * released.
 */
int32_t dsm_ring_create(struct dsm_ring_files *files)
{
	int ret = files->memory = dsm_memory_open("muninn-rings", file_bytes());

	if (ret < 0)
		return ret;
	for (int end = 0; end < RINGS; end++) {
		files->events[end] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (files->events[end] < 0) {
			ret = -errno;
			while (end-- > 0)
				close(files->events[end]);
			close(files->memory);
			return ret;
		}
	}
	return 0;
}

/* Without this seal the file could shrink, and both agents would die of SIGBUS. */
static int check_memory(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat status;

	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(fd, &status) < 0)
		return -EINVAL;
	return (uint64_t)status.st_size == file_bytes() ? 0 : -EINVAL;
}

static int map_part(uint8_t *at, uint64_t bytes, int fd, uint64_t offset)
{
	void *mapped = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			    (off_t)offset);

	return mapped == MAP_FAILED ? -errno : 0;
}

/*
 * Maps the memory that dsm_ring_create() made, in this process or another. Returns the
 * header's address, -EINVAL for a file of another kind, or another -errno.
 */
int64_t dsm_ring_map(int32_t memory)
{
	uint8_t *address;
	uint8_t *at;
	int ret = check_memory(memory);

	if (ret < 0)
		return ret;
	address = mmap(NULL, address_bytes(), PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (address == MAP_FAILED)
		return -errno;
	ret = map_part(address, header_bytes(), memory, 0);
	at = address + header_bytes();
	for (uint64_t part = 0; ret == 0 && part < RINGS * COPIES; part++) {
		ret = map_part(at, DSM_RING_BYTES, memory,
			       header_bytes() + part / COPIES * DSM_RING_BYTES);
		at += DSM_RING_BYTES;
	}
	if (ret < 0) {
		munmap(address, address_bytes());
		return ret;
	}
	return (int64_t)(uintptr_t)address;
}

/*
 * Adopts an event received from another process: it must be an eventfd, which an event loop
 * can watch. Makes writes non-blocking, unless that process changes it again. Returns 0,
 * -EINVAL for anything else, or another -errno.
 */
int32_t dsm_ring_adopt(int32_t event_fd)
{
	static const char expected[] = "anon_inode:[eventfd]";
	char path[32];
	char what[sizeof(expected)];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", event_fd);
	length = readlink(path, what, sizeof(what));
	if (length != sizeof(expected) - 1 || memcmp(what, expected, (size_t)length) != 0)
		return -EINVAL;
	return fcntl(event_fd, F_SETFL, O_RDWR | O_NONBLOCK) < 0 ? -errno : 0;
}

/* Unmaps the result of dsm_ring_map(). */
void dsm_ring_unmap(uint64_t address)
{
	munmap((void *)(uintptr_t)address, address_bytes());
}

/* Notifies the end that has this eventfd. */
void dsm_ring_notify(int32_t event_fd)
{
	dsm_trap_notify(event_fd);
}

/* Closes a descriptor of dsm_ring_create(), or one received from another process. */
void dsm_ring_close(int32_t fd)
{
	close(fd);
}
