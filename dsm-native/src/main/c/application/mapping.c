/* Creates or receives the memory of a node's regions in a process, and traps it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "node_memory.h"
#include "memory.h"
#include "pool.h"
#include "socket.h"
#include "trap.h"
#include "traps.h"
#include "uffd_abi.h"

int dsm_uffd_open(int way)
{
	int device;
	int fd;
	int error;

	if (way != DSM_WAY_DEVICE) {
		int flags = way == DSM_WAY_USER_MODE_ONLY ? DSM_K_UFFD_USER_MODE_ONLY : 0;

		fd = (int)syscall(DSM_K_NR_USERFAULTFD, O_CLOEXEC | O_NONBLOCK | flags);
		return fd < 0 ? -errno : fd;
	}

	device = open(DSM_K_UFFD_DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0)
		return -errno;
	fd = ioctl(device, DSM_K_USERFAULTFD_IOC_NEW, O_CLOEXEC | O_NONBLOCK);
	error = errno;
	close(device);
	return fd < 0 ? -error : fd;
}

static uint64_t features_needed(int32_t kind)
{
	return DSM_K_FEATURES_NEEDED |
	       (kind == DSM_ENGINE_UFFD_SIGNAL ? DSM_K_FEATURE_SIGBUS : 0);
}

static int enable_features(int uffd, uint64_t wanted, uint64_t *offered)
{
	struct dsm_k_uffdio_api api = { .api = DSM_K_UFFD_API, .features = wanted };

	if (ioctl(uffd, DSM_K_UFFDIO_API, &api) < 0)
		return -errno;
	*offered = api.features;
	return 0;
}

int dsm_uffd_enable(int uffd, int32_t kind)
{
	uint64_t offered;

	return enable_features(uffd, features_needed(kind), &offered);
}

/* A descriptor answers UFFDIO_API once, so missing features are queried with a new one. */
uint64_t dsm_uffd_missing(int way, int32_t kind)
{
	uint64_t offered = 0;
	int uffd = dsm_uffd_open(way);

	if (uffd < 0)
		return features_needed(kind);
	if (enable_features(uffd, 0, &offered) < 0)
		offered = 0;
	close(uffd);
	return features_needed(kind) & ~offered;
}

/* Returns the descriptor of the first way that works, or the -errno of the last. */
static int open_uffd(int32_t kind, struct dsm_open_report *report)
{
	int ret = -ENOSYS;

	for (int way = 0; way < DSM_WAYS; way++) {
		int uffd = dsm_uffd_open(way);

		if (uffd < 0) {
			ret = uffd;
			report->ways[way] = -ret;
			continue;
		}
		ret = dsm_uffd_enable(uffd, kind);
		if (ret == 0) {
			report->way = way;
			return uffd;
		}
		close(uffd);
		report->ways[way] = -ret;
		report->missing_features = dsm_uffd_missing(way, kind);
	}
	return ret;
}

static int advise(void *mapped, uint64_t bytes)
{
	static const int advice[] = { MADV_DONTFORK, MADV_DONTDUMP, MADV_NOHUGEPAGE };

	for (size_t i = 0; i < sizeof(advice) / sizeof(advice[0]); i++) {
		/* EINVAL: the kernel is built without huge pages. */
		if (madvise(mapped, bytes, advice[i]) < 0 && errno != EINVAL)
			return -errno;
	}
	return 0;
}

static int map_memory(int fd, uint64_t bytes, int access, uint8_t **address)
{
	void *mapped = mmap(NULL, bytes, access, MAP_SHARED | MAP_NORESERVE, fd, 0);
	int ret;

	if (mapped == MAP_FAILED)
		return -errno;
	ret = advise(mapped, bytes);
	if (ret < 0) {
		munmap(mapped, bytes);
		return ret;
	}
	*address = mapped;
	return 0;
}

static int register_region(const struct dsm_mapping *mapping)
{
	struct dsm_k_uffdio_register range = {
		.start = (uint64_t)(uintptr_t)mapping->region,
		.len = mapping->region_bytes,
		.mode = DSM_K_REGISTER_MISSING | DSM_K_REGISTER_MINOR | DSM_K_REGISTER_WP,
	};

	if (ioctl(mapping->uffd, DSM_K_UFFDIO_REGISTER, &range) < 0)
		return -errno;
	return (range.ioctls & DSM_K_RANGE_IOCTLS) == DSM_K_RANGE_IOCTLS ? 0 : -EOPNOTSUPP;
}

static int is_whole_pages(uint64_t bytes)
{
	return bytes != 0 && bytes <= INT64_MAX && bytes % (uint64_t)dsm_page_bytes() == 0;
}

static void unmap(uint8_t *address, uint64_t bytes)
{
	if (address != NULL)
		munmap(address, bytes);
}

static void close_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Releases an incomplete mapping. */
static void give_up(struct dsm_mapping *m)
{
	unmap((uint8_t *)m->traps, dsm_traps_bytes(m->region_bytes, m->page_bytes, m->processes));
	unmap(m->twins, m->region_bytes);
	unmap((uint8_t *)(uintptr_t)m->alias, m->region_bytes);
	unmap(m->control, m->control_bytes);
	unmap(m->region, m->region_bytes);
	close_open(m->protector.nothing_fd);
	close_open(m->event_fd);
	close_open(m->twins_fd);
	close_open(m->traps_fd);
	close_open(m->control_fd);
	close_open(m->region_fd);
	close_open(m->uffd);
	close_open(m->socket);
	free(m);
}

static uint64_t traps_bytes(const struct dsm_mapping *m)
{
	return dsm_traps_bytes(m->region_bytes, m->page_bytes, m->processes);
}

/* The files of the first process; the other processes receive them. */
static int make_files(struct dsm_mapping *m)
{
	int ret = m->region_fd = dsm_memory_open("muninn-regions", m->region_bytes);

	if (ret >= 0)
		ret = m->control_fd = dsm_memory_open("muninn-control", m->control_bytes);
	if (ret < 0 || !dsm_has_traps(m->kind))
		return ret;
	ret = m->traps_fd = dsm_memory_open("muninn-traps", traps_bytes(m));
	if (ret >= 0)
		ret = m->twins_fd = dsm_memory_open("muninn-twins", m->region_bytes);
	if (ret < 0)
		return ret;
	m->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return m->event_fd < 0 ? -errno : 0;
}

/* Creates the means by which the regions are trapped, before any memory: `report` names the way. */
static int open_means(struct dsm_mapping *m, struct dsm_open_report *report)
{
	if (!dsm_has_uffd(m->kind)) {
		report->way = DSM_WAY_PROTECTOR;
		return 0;
	}
	m->uffd = open_uffd(m->kind, report);
	return m->uffd < 0 ? m->uffd : 0;
}

static int first_access(const struct dsm_mapping *m)
{
	return dsm_has_uffd(m->kind) ? PROT_READ | PROT_WRITE : PROT_NONE;
}

static int map_files(struct dsm_mapping *m)
{
	int ret = map_memory(m->region_fd, m->region_bytes, first_access(m), &m->region);

	if (ret < 0)
		return ret;
	return map_memory(m->control_fd, m->control_bytes, PROT_READ | PROT_WRITE, &m->control);
}

/* Maps the memory of the traps of a signal engine; see traps.h. */
static int map_traps(struct dsm_mapping *m)
{
	uint8_t *alias;
	uint8_t *traps;
	int ret = map_memory(m->region_fd, m->region_bytes, PROT_READ, &alias);

	if (ret < 0)
		return ret;
	m->alias = alias;
	ret = map_memory(m->twins_fd, m->region_bytes, PROT_READ | PROT_WRITE, &m->twins);
	if (ret < 0)
		return ret;
	ret = map_memory(m->traps_fd, traps_bytes(m), PROT_READ | PROT_WRITE, &traps);
	if (ret < 0)
		return ret;
	m->traps = (struct dsm_traps *)(void *)traps;
	m->accesses =
		dsm_trap_accesses(m->traps, m->region_bytes / m->page_bytes, m->process);
	return 0;
}

/* Replaces what is mapped at an address by this part of a file. */
static int remap(const void *address, uint64_t bytes, int access, int fd, uint64_t at)
{
	void *place = (void *)(uintptr_t)address;

	if (mmap(place, bytes, access, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, (off_t)at) ==
	    MAP_FAILED)
		return -errno;
	return advise(place, bytes);
}

int dsm_mapping_move(struct dsm_mapping *m)
{
	uint64_t at = dsm_pool_memory_at(m->pool, m->node);
	int ret = remap(m->region, m->region_bytes, first_access(m), m->pool->fd, at);

	if (ret == 0 && dsm_has_traps(m->kind))
		ret = remap(m->alias, m->region_bytes, PROT_READ, m->pool->fd, at);
	if (ret == 0 && dsm_has_uffd(m->kind))
		ret = register_region(m); /* the registration has ended with the old mapping */
	return ret;
}

/* The protector is started last, because it ends only with the process. */
static int make_protector(struct dsm_mapping *m)
{
	int ret = m->protector.nothing_fd = dsm_protector_nothing();

	if (ret < 0)
		return ret;
	ret = dsm_trap_install(m);
	if (ret < 0)
		return ret;
	m->protector.request = &m->traps->processes[m->process].request;
	m->protector.region = m->region;
	m->protector.region_bytes = m->region_bytes;
	ret = dsm_keeper_start(m);
	if (ret < 0)
		dsm_trap_uninstall();
	return ret;
}

static int map_all(struct dsm_mapping *m)
{
	int ret = map_files(m);

	if (ret == 0 && dsm_has_traps(m->kind))
		ret = map_traps(m);
	if (ret < 0)
		return ret;
	if (!dsm_has_uffd(m->kind))
		return make_protector(m);
	ret = register_region(m);
	if (ret == 0 && dsm_has_traps(m->kind))
		ret = dsm_trap_install(m);
	return ret;
}

/* A mapping without memory. Returns 0, -EINVAL or -ENOMEM. */
static int allocate(int32_t kind, int32_t processes, uint64_t region_bytes, uint64_t control_bytes,
		    uint64_t watch_offset, struct dsm_mapping **mapping)
{
	struct dsm_mapping *m;

	if (kind < 0 || kind >= DSM_ENGINE_KINDS || processes < 1 ||
	    processes > DSM_PROCESSES_MAX || !is_whole_pages(region_bytes) ||
	    !is_whole_pages(control_bytes) || watch_offset % sizeof(uint32_t) != 0 ||
	    watch_offset >= control_bytes)
		return -EINVAL;
	m = calloc(1, sizeof(*m));
	if (m == NULL)
		return -ENOMEM;
	m->kind = kind;
	m->node = -1; /* until it attaches */
	m->processes = processes;
	m->region_bytes = region_bytes;
	m->control_bytes = control_bytes;
	m->page_bytes = (uint64_t)dsm_page_bytes();
	m->gated = getenv(DSM_GATE_VARIABLE) != NULL;
	m->uffd = m->region_fd = m->control_fd = m->shared_fd = -1;
	m->traps_fd = m->twins_fd = m->event_fd = m->socket = m->protector.nothing_fd = -1;
	*mapping = m;
	return 0;
}

/* Maps the files and traps the regions, if there was no error before; an error releases it all. */
static int finish(struct dsm_mapping *m, int before, uint64_t watch_offset, int32_t way)
{
	int ret = before < 0 ? before : map_all(m);

	if (ret < 0) {
		give_up(m);
		return ret;
	}
	m->watch = (uint32_t *)(void *)(m->control + watch_offset);
	m->way = way;
	return 0;
}

/*
 * Creates the memory files of a node with this number of processes, maps them as the first
 * process, and traps the regions. Afterwards the first access to any page of the regions
 * blocks until an agent resolves it. `watch_offset`: offset of a word of the control memory
 * that a trap sets to 1 before it permits a store. A process can have only one mapping with
 * signals.
 *
 * Returns 0; -EINVAL for an unknown kind, sizes that are not whole pages, a bad offset or
 * number of processes; -EEXIST for a second mapping with signals; -EFBIG if the size of files
 * is limited (ulimit -f); -ENOMSG if the engine's signal does not reach its handler; if no
 * way to a userfaultfd works, the -errno of the last, with the errno of each in `report`.
 * The mapping exists until the process ends.
 */
int32_t dsm_mapping_open(int32_t kind, int32_t processes, uint64_t region_bytes,
			 uint64_t control_bytes, uint64_t watch_offset,
			 struct dsm_mapping **mapping, struct dsm_open_report *report)
{
	int ret;

	memset(report, 0, sizeof(*report));
	report->way = -1;
	ret = allocate(kind, processes, region_bytes, control_bytes, watch_offset, mapping);
	if (ret < 0)
		return ret;
	ret = open_means(*mapping, report);
	if (ret == 0)
		ret = make_files(*mapping);
	return finish(*mapping, ret, watch_offset, report->way);
}

/*
 * As dsm_mapping_open(), for process `process` from 1 on: receives the memory of the node
 * from the agent that listens at the abstract address `name`, once the first process has
 * attached there. dsm_mapping_attach() follows, with the same name and token.
 *
 * Returns as both functions.
 */
int32_t dsm_mapping_join(int32_t kind, int32_t processes, uint64_t region_bytes,
			 uint64_t control_bytes, uint64_t watch_offset, int32_t process,
			 const char *name, const uint8_t *token, int32_t loss_millis,
			 struct dsm_mapping **mapping, struct dsm_open_report *report,
			 struct dsm_verdict *verdict)
{
	int ret;

	memset(report, 0, sizeof(*report));
	memset(verdict, 0, sizeof(*verdict));
	report->way = -1;
	if (process < 1 || process >= processes)
		return -EINVAL;
	ret = allocate(kind, processes, region_bytes, control_bytes, watch_offset, mapping);
	if (ret < 0)
		return ret;
	(*mapping)->process = process;
	ret = open_means(*mapping, report);
	if (ret == 0)
		ret = dsm_mapping_ask(*mapping, name, token, loss_millis, verdict);
	return finish(*mapping, ret, watch_offset, report->way);
}

uint64_t dsm_mapping_region(const struct dsm_mapping *mapping)
{
	return (uint64_t)(uintptr_t)mapping->region;
}

uint64_t dsm_mapping_control(const struct dsm_mapping *mapping)
{
	return (uint64_t)(uintptr_t)mapping->control;
}

/* The descriptor that notifies the agent of posts; -1 without signals. */
int32_t dsm_mapping_event_fd(const struct dsm_mapping *mapping)
{
	return mapping->event_fd;
}

/*
 * Maps the memory that the agent shares with all its applications. Returns 0; -ENOENT if the
 * agent has passed none; -EINVAL if it is not of this size; or -errno.
 */
int32_t dsm_mapping_shared(const struct dsm_mapping *mapping, uint64_t bytes, uint64_t *address)
{
	struct stat status;
	uint8_t *mapped;
	int ret;

	if (mapping->shared_fd < 0)
		return -ENOENT;
	if (fstat(mapping->shared_fd, &status) < 0)
		return -errno;
	if ((uint64_t)status.st_size != bytes)
		return -EINVAL;
	ret = dsm_memory_map(mapping->shared_fd, bytes, &mapped);
	if (ret == 0)
		*address = (uint64_t)(uintptr_t)mapped;
	return ret;
}
