/*
 * Measures the page faults that the fault engine uses, without the engine: a store to a
 * write-protected page whose twin is made in a signal handler of the same thread, and
 * faults that another process resolves, as an agent does.
 */
#define _GNU_SOURCE
#include "floor.h"
#include "uffd_abi.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES 64u
#define RANGE_PAGES 256u
#define BYTES ((size_t)RANGE_PAGES * PAGE_BYTES)
#define FEATURE_SIGBUS (UINT64_C(1) << 7)

/* One memory file: trapped for the application, always writable as the agent's alias. */
struct region {
	int uffd;
	int file;
	uint8_t *trapped;
	uint8_t *alias;
	uint8_t *twins;
};

/* A signal handler has no argument for it. */
static struct region handled;

static int open_uffd(void)
{
	int device = open(DSM_K_UFFD_DEVICE, O_RDWR | O_CLOEXEC);
	int uffd;

	if (device >= 0) {
		uffd = ioctl(device, DSM_K_USERFAULTFD_IOC_NEW, O_CLOEXEC | O_NONBLOCK);
		close(device);
		if (uffd >= 0)
			return uffd;
	}
	uffd = (int)syscall(DSM_K_NR_USERFAULTFD, O_CLOEXEC | O_NONBLOCK);
	if (uffd < 0)
		uffd = (int)syscall(DSM_K_NR_USERFAULTFD,
				    O_CLOEXEC | O_NONBLOCK | DSM_K_UFFD_USER_MODE_ONLY);
	return uffd;
}

static uint8_t *map(int file)
{
	uint8_t *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (memory == MAP_FAILED)
		fail("mmap");
	return memory;
}

static int memory_file(const char *name)
{
	int file = memfd_create(name, MFD_CLOEXEC);

	if (file < 0 || ftruncate(file, (off_t)BYTES) != 0)
		fail("memfd_create");
	return file;
}

/* Returns the name of the call that was refused, or NULL. */
static const char *open_region(struct region *region, uint64_t features)
{
	struct dsm_k_uffdio_api api = { .api = DSM_K_UFFD_API,
					.features = DSM_K_FEATURES_NEEDED | features };
	struct dsm_k_uffdio_register range = { .len = BYTES,
					       .mode = DSM_K_REGISTER_MISSING |
						       DSM_K_REGISTER_MINOR |
						       DSM_K_REGISTER_WP };
	int twins;

	region->uffd = open_uffd();
	if (region->uffd < 0)
		return "userfaultfd";
	if (ioctl(region->uffd, DSM_K_UFFDIO_API, &api) != 0)
		return "UFFDIO_API";
	region->file = memory_file("floor");
	region->trapped = map(region->file);
	region->alias = map(region->file);
	twins = memory_file("floor-twins");
	region->twins = map(twins);
	close(twins);
	memset(region->twins, 1, BYTES); /* no first touch of a twin's own page in the samples */
	range.start = (uint64_t)(uintptr_t)region->trapped;
	if (ioctl(region->uffd, DSM_K_UFFDIO_REGISTER, &range) != 0)
		return "UFFDIO_REGISTER";
	return NULL;
}

static void close_region(struct region *region)
{
	munmap(region->trapped, BYTES);
	munmap(region->alias, BYTES);
	munmap(region->twins, BYTES);
	close(region->file);
	close(region->uffd);
}

static int protect(const struct region *region, size_t page, size_t pages, uint64_t mode)
{
	struct dsm_k_uffdio_writeprotect range = {
		.start = (uint64_t)(uintptr_t)(region->trapped + page * PAGE_BYTES),
		.len = pages * PAGE_BYTES,
		.mode = mode,
	};

	return ioctl(region->uffd, DSM_K_UFFDIO_WRITEPROTECT, &range);
}

static int install(const struct region *region, size_t page, size_t pages, uint64_t mode)
{
	struct dsm_k_uffdio_install range = {
		.start = (uint64_t)(uintptr_t)(region->trapped + page * PAGE_BYTES),
		.len = pages * PAGE_BYTES,
		.mode = mode,
	};

	return ioctl(region->uffd, DSM_K_UFFDIO_CONTINUE, &range);
}

static void on_sigbus(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	size_t page = ((uintptr_t)info->si_addr - (uintptr_t)handled.trapped) / PAGE_BYTES;

	(void)number;
	(void)context;
	if (page >= PAGES)
		_exit(3);
	memcpy(handled.twins + page * PAGE_BYTES, handled.alias + page * PAGE_BYTES, PAGE_BYTES);
	if (protect(&handled, page, 1, 0) != 0)
		_exit(3);
	errno = saved;
}

/* `cold`: other memory is read between the rounds. */
static void measure_in_handler(struct series *series, uint32_t samples, const char *name, int cold)
{
	struct sigaction action = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };
	const char *refused = open_region(&handled, FEATURE_SIGBUS);

	if (refused != NULL) {
		print_unavailable(name, refused, errno);
		return;
	}
	if (sigaction(SIGBUS, &action, NULL) != 0)
		fail("sigaction");
	memset(handled.alias, 1, BYTES);
	if (install(&handled, 0, PAGES, DSM_K_CONTINUE_WP) != 0)
		fail("UFFDIO_CONTINUE");
	series_begin(series, name, samples);
	while (!series_is_full(series)) {
		if (protect(&handled, 0, PAGES, DSM_K_WRITEPROTECT_WP) != 0)
			fail("UFFDIO_WRITEPROTECT");
		if (cold)
			empty_caches();
		for (size_t i = 0; i < PAGES; i++) {
			volatile uint64_t *word = (uint64_t *)(handled.trapped + i * PAGE_BYTES);
			double begin = now_nanos();

			*word = i;
			series_add(series, now_nanos() - begin);
		}
	}
	series_print(series);
	close_region(&handled);
}

/* Another process's part: waits for faults as an agent does, until it is killed. */
static void resolve(const struct region *region, const uint8_t *image)
{
	struct pollfd fd = { .fd = region->uffd, .events = POLLIN };
	struct dsm_k_uffd_msg fault;

	for (;;) {
		size_t page;

		if (poll(&fd, 1, -1) < 0)
			fail("poll");
		if (read(region->uffd, &fault, sizeof(fault)) != (ssize_t)sizeof(fault))
			continue; /* EAGAIN */
		page = (size_t)(fault.address - (uint64_t)(uintptr_t)region->trapped) / PAGE_BYTES;
		if ((fault.flags & DSM_K_FLAG_WP) != 0) {
			memcpy(region->twins + page * PAGE_BYTES,
			       region->alias + page * PAGE_BYTES, PAGE_BYTES);
			if (protect(region, page, 1, 0) != 0)
				fail("UFFDIO_WRITEPROTECT");
		} else {
			memcpy(region->alias + page * PAGE_BYTES, image, PAGE_BYTES);
			if (install(region, page, 1, DSM_K_CONTINUE_WP) != 0)
				fail("UFFDIO_CONTINUE");
		}
	}
}

/* Runs the rounds one after another; `turns` may be negative: no turns. */
static void measure_reads(const struct region *region, struct series *series, uint32_t samples,
			  int turns)
{
	int tenth = -1;

	series_begin(series, MISSING, samples);
	while (!series_is_full(series)) {
		if (turns >= 0 && series_tenth(series) != tenth) {
			if (tenth >= 0)
				turns_pass(turns);
			tenth = series_tenth(series);
			turns_await(turns);
		}
		if (fallocate(region->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			      (off_t)BYTES) != 0)
			fail("fallocate");
		for (size_t i = 0; i < PAGES; i++) {
			volatile uint64_t *word = (uint64_t *)(region->trapped + i * PAGE_BYTES);
			double begin = now_nanos();

			(void)*word;
			series_add(series, now_nanos() - begin);
		}
	}
	if (turns >= 0)
		turns_pass_last(turns);
	series_print(series);
}

static void measure_writes(const struct region *region, struct series *series, uint32_t samples)
{
	series_begin(series, "uffd-write", samples);
	while (!series_is_full(series)) {
		if (protect(region, 0, PAGES, DSM_K_WRITEPROTECT_WP) != 0)
			fail("UFFDIO_WRITEPROTECT");
		for (size_t i = 0; i < PAGES; i++) {
			volatile uint64_t *word = (uint64_t *)(region->trapped + i * PAGE_BYTES);
			double begin = now_nanos();

			*word = i;
			series_add(series, now_nanos() - begin);
		}
	}
	series_print(series);
}

/* Starts a process that resolves faults. Returns the call that was refused, or NULL. */
static const char *start_resolving(struct region *region, pid_t *child)
{
	const char *refused = open_region(region, 0);
	uint8_t image[PAGE_BYTES];

	if (refused != NULL)
		return refused;
	memset(image, 2, sizeof(image));
	*child = fork_child();
	if (*child == 0) {
		resolve(region, image);
		_exit(1);
	}
	return NULL;
}

static void end_resolving(struct region *region, pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close_region(region);
}

void measure_missing(struct series *series, uint32_t samples)
{
	struct region region;
	pid_t child;
	const char *refused = start_resolving(&region, &child);
	int turns;

	if (refused != NULL)
		print_unavailable(MISSING, refused, errno);
	turns = turns_open();
	if (refused == NULL) {
		measure_reads(&region, series, samples, turns);
		end_resolving(&region, child);
	} else if (turns >= 0) {
		turns_await(turns);
		turns_pass_last(turns);
	}
}

static void measure_in_process(struct series *series, uint32_t samples)
{
	struct region region;
	pid_t child;
	const char *refused = start_resolving(&region, &child);

	if (refused != NULL) {
		int error = errno;

		print_unavailable(MISSING, refused, error);
		print_unavailable("uffd-write", refused, error);
		return;
	}
	measure_reads(&region, series, samples, -1);
	measure_writes(&region, series, samples);
	end_resolving(&region, child);
}

/* Removes pages from the page table and keeps their content; in the process itself. */
static void measure_drops(const struct region *region, struct series *series, const char *name,
			  uint32_t samples, size_t pages)
{
	series_begin(series, name, samples);
	while (!series_is_full(series)) {
		double begin;

		if (install(region, 0, pages, 0) != 0)
			fail("UFFDIO_CONTINUE");
		begin = now_nanos();
		if (madvise(region->trapped, pages * PAGE_BYTES, MADV_DONTNEED) != 0)
			fail("madvise");
		series_add(series, now_nanos() - begin);
	}
	series_print(series);
}

static void measure_protects(const struct region *region, struct series *series, const char *name,
			     uint32_t samples, size_t pages)
{
	if (install(region, 0, pages, 0) != 0)
		fail("UFFDIO_CONTINUE");
	series_begin(series, name, samples);
	while (!series_is_full(series)) {
		double begin;

		if (protect(region, 0, pages, 0) != 0)
			fail("UFFDIO_WRITEPROTECT");
		begin = now_nanos();
		if (protect(region, 0, pages, DSM_K_WRITEPROTECT_WP) != 0)
			fail("UFFDIO_WRITEPROTECT");
		series_add(series, now_nanos() - begin);
	}
	series_print(series);
	madvise(region->trapped, pages * PAGE_BYTES, MADV_DONTNEED);
}

/* Changes to the page table for ranges of pages. */
static void measure_ranges(struct series *series, uint32_t samples)
{
	struct region region;
	const char *refused = open_region(&region, 0);

	if (refused != NULL) {
		int error = errno;

		print_unavailable("drop-16-pages", refused, error);
		print_unavailable("drop-256-pages", refused, error);
		print_unavailable("protect-16-pages", refused, error);
		print_unavailable("protect-256-pages", refused, error);
		return;
	}
	memset(region.alias, 3, BYTES);
	measure_drops(&region, series, "drop-16-pages", samples, 16);
	measure_drops(&region, series, "drop-256-pages", samples, RANGE_PAGES);
	measure_protects(&region, series, "protect-16-pages", samples, 16);
	measure_protects(&region, series, "protect-256-pages", samples, RANGE_PAGES);
	close_region(&region);
}

void measure_faults(struct series *series, uint32_t samples)
{
	measure_ranges(series, samples);
	measure_in_handler(series, samples, "handler-twin", 0);
	measure_in_handler(series, samples, "handler-twin-cold", 1);
	measure_in_process(series, samples);
}
