/* The memory of rings, mapped twice in one process, as by two agents. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "dsm_fault.h"
#include "node_memory.h"
#include "memory.h"
#include "ring.h"

#define PAGE ((uint64_t)dsm_page_bytes())

static uint8_t *map(int memory)
{
	int64_t address = dsm_ring_map(memory);

	CHECK(address > 0);
	return (uint8_t *)(intptr_t)address;
}

/* A ring continues after its end, and both mappings show the same bytes. */
static void check_copies(const uint8_t *one, uint8_t *other)
{
	for (int ring = 0; ring < 2; ring++) {
		uint64_t at = PAGE + (uint64_t)ring * 2 * DSM_RING_BYTES;
		uint64_t last = at + DSM_RING_BYTES - 1;

		memcpy(other + last, "ab", 2);
		CHECK_EQUAL('a', one[last]);
		CHECK_EQUAL('b', one[at]);
		CHECK_EQUAL('a', one[last + DSM_RING_BYTES]);
		CHECK_EQUAL('b', one[last + 1]);
		other[at] = 'c';
		CHECK_EQUAL('c', other[last + 1]);
	}
	CHECK_EQUAL('c', one[PAGE]);
	other[PAGE] = 'd';
	CHECK_EQUAL('c', one[PAGE + 2 * DSM_RING_BYTES]); /* the rings are separate */
}

static void check_others(int memory)
{
	int small = dsm_memory_open("test-small", PAGE);
	int loose = memfd_create("test-loose", MFD_ALLOW_SEALING | MFD_CLOEXEC);

	CHECK_EQUAL(0, ftruncate(loose, (off_t)(PAGE + 2 * DSM_RING_BYTES)));
	CHECK_EQUAL(-EINVAL, dsm_ring_map(small));
	CHECK_EQUAL(-EINVAL, dsm_ring_map(loose)); /* the file could shrink */
	CHECK_EQUAL(-EINVAL, dsm_ring_map(STDIN_FILENO));
	CHECK_EQUAL(-EINVAL, dsm_ring_map(-1));
	CHECK_EQUAL(-1, ftruncate(memory, 0));
	dsm_ring_close(small);
	dsm_ring_close(loose);
}

static void check_adopted(const struct dsm_ring_files *files)
{
	int waits = eventfd(7, 0);
	uint64_t told;

	CHECK_EQUAL(0, dsm_ring_adopt(files->events[0]));
	CHECK_EQUAL(-EINVAL, dsm_ring_adopt(files->memory));
	CHECK_EQUAL(-EINVAL, dsm_ring_adopt(-1));
	CHECK_EQUAL(0, dsm_ring_adopt(waits));
	CHECK_EQUAL(sizeof(told), read(waits, &told, sizeof(told)));
	CHECK_EQUAL(7, told);
	CHECK_EQUAL(-1, read(waits, &told, sizeof(told))); /* a write does not wait either */
	CHECK_EQUAL(EAGAIN, errno);
	dsm_ring_close(waits);
}

static void check_events(const struct dsm_ring_files *files)
{
	uint64_t told;

	CHECK_EQUAL(-1, read(files->events[1], &told, sizeof(told)));
	CHECK_EQUAL(EAGAIN, errno);
	dsm_ring_notify(files->events[1]);
	dsm_ring_notify(files->events[1]);
	CHECK_EQUAL(sizeof(told), read(files->events[1], &told, sizeof(told)));
	CHECK_EQUAL(2, told);
	CHECK_EQUAL(-1, read(files->events[0], &told, sizeof(told)));
	CHECK_EQUAL(FD_CLOEXEC, fcntl(files->events[0], F_GETFD));
	CHECK_EQUAL(FD_CLOEXEC, fcntl(files->memory, F_GETFD));
}

void test_ring(void)
{
	struct dsm_ring_files files;
	const struct dsm_ring_header *header;
	uint8_t *one;
	uint8_t *other;

	CHECK_EQUAL(0, dsm_ring_create(&files));
	one = map(files.memory);
	other = map(files.memory);
	header = (const struct dsm_ring_header *)(const void *)one;
	for (int ring = 0; ring < 2; ring++) {
		CHECK_EQUAL(0, header->rings[ring].tail);
		CHECK_EQUAL(0, header->rings[ring].head);
	}
	check_copies(one, other);
	check_others(files.memory);
	check_events(&files);
	check_adopted(&files);
	dsm_ring_close(files.memory);
	dsm_ring_unmap((uint64_t)(uintptr_t)other);
	CHECK_EQUAL('c', one[PAGE + 2 * DSM_RING_BYTES]); /* the memory exists while it is mapped */
	dsm_ring_unmap((uint64_t)(uintptr_t)one);
	dsm_ring_close(files.events[0]);
	dsm_ring_close(files.events[1]);
}
