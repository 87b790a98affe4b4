/* Makes the memory of a node's regions in the application, and the userfaultfd that traps it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mapping.h"
#include "uffd_abi.h"

static int open_way(int way)
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

static int enable_features(int uffd, uint64_t wanted, uint64_t *offered)
{
	struct dsm_k_uffdio_api api = { .api = DSM_K_UFFD_API, .features = wanted };

	if (ioctl(uffd, DSM_K_UFFDIO_API, &api) < 0)
		return -errno;
	*offered = api.features;
	return 0;
}

/* A descriptor answers UFFDIO_API once, so what a kernel lacks is asked of a fresh one. */
static uint64_t features_missing(int way)
{
	uint64_t offered = 0;
	int uffd = open_way(way);

	if (uffd < 0)
		return DSM_K_FEATURES_NEEDED;
	if (enable_features(uffd, 0, &offered) < 0)
		offered = 0;
	close(uffd);
	return DSM_K_FEATURES_NEEDED & ~offered;
}

/* Returns the descriptor of the first way that works, or the -errno of the last. */
static int open_uffd(struct dsm_open_report *report)
{
	int ret = -ENOSYS;

	for (int way = 0; way < DSM_WAYS; way++) {
		uint64_t offered;
		int uffd = open_way(way);

		if (uffd < 0) {
			ret = uffd;
			report->ways[way] = -ret;
			continue;
		}
		ret = enable_features(uffd, DSM_K_FEATURES_NEEDED, &offered);
		if (ret == 0) {
			report->way = way;
			return uffd;
		}
		close(uffd);
		report->ways[way] = -ret;
		report->missing_features = features_missing(way);
	}
	return ret;
}

/* Returns a descriptor of a sparse, sealed file: its size can never change again. */
static int open_memory(const char *name, uint64_t bytes)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int ret;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)bytes) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		ret = -errno;
		close(fd);
		return ret;
	}
	return fd;
}

static int map_memory(int fd, uint64_t bytes, uint8_t **address)
{
	static const int advice[] = { MADV_DONTFORK, MADV_DONTDUMP, MADV_NOHUGEPAGE };
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (mapped == MAP_FAILED)
		return -errno;
	for (size_t i = 0; i < sizeof(advice) / sizeof(advice[0]); i++) {
		/* EINVAL: a kernel built without huge pages has none to refuse. */
		if (madvise(mapped, bytes, advice[i]) < 0 && errno != EINVAL) {
			int ret = -errno;

			munmap(mapped, bytes);
			return ret;
		}
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

/*
 * Makes the memory files, maps them, and traps the regions. Afterwards the
 * first access to any page of the regions blocks until an agent resolves it.
 *
 * Returns 0; -EINVAL for sizes that are not whole pages; the -errno of the last
 * way to a userfaultfd, with the errno of each in `report`, if none works.
 * The mapping lives as long as the process.
 */
int32_t dsm_mapping_open(int32_t kind, uint64_t region_bytes, uint64_t control_bytes,
			 uint64_t watch_offset, struct dsm_mapping **mapping,
			 struct dsm_open_report *report)
{
	struct dsm_mapping *m;
	int ret;

	memset(report, 0, sizeof(*report));
	report->way = -1;
	if (!is_whole_pages(region_bytes) || !is_whole_pages(control_bytes) ||
	    watch_offset % sizeof(uint32_t) != 0 || watch_offset >= control_bytes)
		return -EINVAL;
	if (kind != DSM_ENGINE_UFFD_EVENT)
		return -EOPNOTSUPP;
	m = calloc(1, sizeof(*m));
	if (m == NULL)
		return -ENOMEM;
	m->region_bytes = region_bytes;
	m->control_bytes = control_bytes;
	m->socket = -1;

	ret = m->uffd = open_uffd(report);
	if (ret < 0)
		goto err_free;
	ret = m->region_fd = open_memory("muninn-regions", region_bytes);
	if (ret < 0)
		goto err_uffd;
	ret = m->control_fd = open_memory("muninn-control", control_bytes);
	if (ret < 0)
		goto err_region_fd;
	ret = map_memory(m->region_fd, region_bytes, &m->region);
	if (ret < 0)
		goto err_control_fd;
	ret = map_memory(m->control_fd, control_bytes, &m->control);
	if (ret < 0)
		goto err_region;
	ret = register_region(m);
	if (ret < 0)
		goto err_control;

	m->kind = kind;
	m->way = report->way;
	*mapping = m;
	return 0;

err_control:
	munmap(m->control, control_bytes);
err_region:
	munmap(m->region, region_bytes);
err_control_fd:
	close(m->control_fd);
err_region_fd:
	close(m->region_fd);
err_uffd:
	close(m->uffd);
err_free:
	free(m);
	return ret;
}

uint64_t dsm_mapping_region(const struct dsm_mapping *mapping)
{
	return (uint64_t)(uintptr_t)mapping->region;
}

uint64_t dsm_mapping_control(const struct dsm_mapping *mapping)
{
	return (uint64_t)(uintptr_t)mapping->control;
}
