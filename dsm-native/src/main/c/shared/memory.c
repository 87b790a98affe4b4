/* Memory that processes share: files without a name, whose size is sealed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dsm_fault.h"
#include "memory.h"

int dsm_memory_open(const char *name, uint64_t bytes)
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

int dsm_memory_map(int fd, uint64_t bytes, uint8_t **address)
{
	static const int advice[] = { MADV_DONTFORK, MADV_DONTDUMP };
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (mapped == MAP_FAILED)
		return -errno;
	for (size_t i = 0; i < sizeof(advice) / sizeof(advice[0]); i++) {
		if (madvise(mapped, bytes, advice[i]) < 0) {
			int ret = -errno;

			munmap(mapped, bytes);
			return ret;
		}
	}
	*address = mapped;
	return 0;
}

/*
 * Opens sparse memory of zeros that dsm_listener_share() passes to applications, and maps it
 * until the process ends. Accesses never block. Returns its descriptor or -errno.
 */
int32_t dsm_shared_open(uint64_t bytes, uint64_t *address)
{
	uint8_t *mapped;
	int fd = dsm_memory_open("muninn-shared", bytes);
	int ret;

	if (fd < 0)
		return fd;
	ret = dsm_memory_map(fd, bytes, &mapped);
	if (ret < 0) {
		close(fd);
		return ret;
	}
	*address = (uint64_t)(uintptr_t)mapped;
	return fd;
}
