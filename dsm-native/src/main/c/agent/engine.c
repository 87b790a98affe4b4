/* The agent's side of a node's processes: descriptors, the alias, and the faults. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"
#include "uffd_abi.h"

static int map_alias(int fd, uint64_t at, uint64_t bytes, uint8_t **address)
{
	static const int advice[] = { MADV_DONTFORK, MADV_DONTDUMP, MADV_NOHUGEPAGE };
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd,
			    (off_t)at);

	if (mapped == MAP_FAILED)
		return -errno;
	/* The advice saves memory and keeps dumps small; correctness does not depend on it. */
	for (size_t i = 0; i < sizeof(advice) / sizeof(advice[0]); i++)
		(void)madvise(mapped, bytes, advice[i]);
	*address = mapped;
	return 0;
}

static uint64_t ring_bytes(void)
{
	return DSM_COMMAND_QUEUE_MAX * sizeof(struct dsm_command);
}

/*
 * Maps the memory that a signal engine shares in addition to the regions. Returns 0 without
 * signals.
 */
static int map_traps(struct dsm_engine *e)
{
	uint64_t bytes = dsm_traps_bytes(e->region_bytes, e->page_bytes, e->processes_max);
	uint8_t *traps;
	int ret;

	if (!dsm_has_traps(e->kind))
		return 0;
	ret = map_alias(e->traps_fd, 0, bytes, &traps);
	if (ret < 0)
		return ret;
	ret = map_alias(e->twins_fd, 0, e->region_bytes, &e->twins_of_traps);
	if (ret < 0)
		goto err_traps;
	ret = dsm_trap_twins_open(e);
	if (ret < 0)
		goto err_twins;
	e->traps = (struct dsm_traps *)(void *)traps;
	return 0;

err_twins:
	munmap(e->twins_of_traps, e->region_bytes);
err_traps:
	munmap(traps, bytes);
	return ret;
}

static void unmap_traps(struct dsm_engine *e)
{
	if (e->traps == NULL)
		return;
	dsm_trap_twins_close(e);
	free(e->told.pages);
	munmap(e->twins_of_traps, e->region_bytes);
	munmap(e->traps, dsm_traps_bytes(e->region_bytes, e->page_bytes, e->processes_max));
}

/*
 * Adds the next process. It owns the descriptors, on success only. A correct process passes
 * a non-blocking userfaultfd; a blocking one would stop the agent.
 */
int dsm_engine_add(struct dsm_engine *e, const struct dsm_attach *attach, int uffd, int command_fd,
		   int32_t pid)
{
	struct dsm_process *process = &e->processes[e->process_count];
	uint64_t pages = e->region_bytes / e->page_bytes;
	void *states;
	void *ring;
	int ret;

	if (uffd >= 0 && fcntl(uffd, F_SETFL, O_RDWR | O_NONBLOCK) < 0)
		return -errno;
	ret = dsm_engine_map_zeroes(pages, &states);
	if (ret < 0)
		return ret;
	ret = dsm_engine_map_zeroes(ring_bytes(), &ring);
	if (ret < 0) {
		munmap(states, pages);
		return ret;
	}
	*process = (struct dsm_process){
		.base = attach->base,
		.states = states,
		.uffd = uffd,
		.command_fd = command_fd,
		.pid = pid,
		.queue.ring = ring,
	};
	if (e->traps != NULL)
		process->own = &e->traps->processes[e->process_count];
	if (!dsm_has_uffd(e->kind))
		dsm_protect_open(process, dsm_trap_accesses(e->traps, pages, e->process_count));
	e->process_count++;
	return 0;
}

static void remove_processes(struct dsm_engine *e)
{
	for (int32_t i = 0; i < e->process_count; i++) {
		struct dsm_process *process = &e->processes[i];

		munmap(process->queue.ring, ring_bytes());
		munmap(process->states, e->region_bytes / e->page_bytes);
		close(process->command_fd);
		if (process->uffd >= 0)
			close(process->uffd);
	}
}

int dsm_engine_create(const struct dsm_attach *attach, const int fds[DSM_ATTACH_FDS_MAX],
		      int command_fd, int32_t pid, struct dsm_pool *pool,
		      struct dsm_engine **engine)
{
	struct dsm_engine *e = calloc(1, sizeof(*e));
	int has_traps = dsm_has_traps(attach->kind);
	int ret;

	if (e == NULL)
		return -ENOMEM;
	e->region_bytes = attach->region_bytes;
	e->control_bytes = attach->control_bytes;
	e->page_bytes = attach->page_bytes;
	e->node = attach->node;
	e->processes_max = attach->processes;
	e->kind = attach->kind;
	e->way = attach->way;
	e->kernel = dsm_kernel_best();
	e->twins.page_bytes = attach->page_bytes;
	e->region_fd = fds[DSM_FD_REGIONS];
	e->pool = pool;
	e->content_fd = pool == NULL ? e->region_fd : pool->fd;
	e->content_at = pool == NULL ? 0 : dsm_pool_memory_at(pool, e->node);
	e->control_fd = fds[DSM_FD_CONTROL];
	e->traps_fd = has_traps ? fds[DSM_FD_TRAPS] : -1;
	e->twins_fd = has_traps ? fds[DSM_FD_TWINS] : -1;
	e->event_fd = has_traps ? fds[DSM_FD_EVENT] : -1;

	/* A correct application passes a non-blocking descriptor. */
	if (e->event_fd >= 0 && fcntl(e->event_fd, F_SETFL, O_RDWR | O_NONBLOCK) < 0) {
		ret = -errno;
		goto err_free;
	}
	ret = map_alias(e->content_fd, e->content_at, e->region_bytes, &e->alias);
	if (ret < 0)
		goto err_free;
	ret = map_alias(e->control_fd, 0, e->control_bytes, &e->control);
	if (ret < 0)
		goto err_alias;
	ret = map_traps(e);
	if (ret < 0)
		goto err_control;
	ret = dsm_engine_add(e, attach,
			     dsm_has_uffd(e->kind) ? fds[dsm_memory_fds(e->kind)] : -1, command_fd,
			     pid);
	if (ret < 0)
		goto err_traps;
	*engine = e;
	return 0;

err_traps:
	unmap_traps(e);
err_control:
	munmap(e->control, e->control_bytes);
err_alias:
	munmap(e->alias, e->region_bytes);
err_free:
	free(e);
	return ret;
}

uint32_t dsm_engine_memory(const struct dsm_engine *engine, int fds[DSM_ATTACH_FDS_MAX])
{
	fds[DSM_FD_REGIONS] = engine->region_fd;
	fds[DSM_FD_CONTROL] = engine->control_fd;
	fds[DSM_FD_TRAPS] = engine->traps_fd;
	fds[DSM_FD_TWINS] = engine->twins_fd;
	fds[DSM_FD_EVENT] = engine->event_fd;
	return dsm_memory_fds(engine->kind);
}

static void close_traps(const struct dsm_engine *engine)
{
	if (engine->traps == NULL)
		return;
	close(engine->event_fd);
	close(engine->twins_fd);
	close(engine->traps_fd);
}

/*
 * Closes the engine and unmaps its memory; the processes see EOF. Addresses of the engine
 * become invalid.
 */
void dsm_engine_close(struct dsm_engine *engine)
{
	close_traps(engine);
	unmap_traps(engine);
	dsm_twin_pool_close(&engine->twins);
	remove_processes(engine);
	munmap(engine->control, engine->control_bytes);
	munmap(engine->alias, engine->region_bytes);
	close(engine->control_fd);
	close(engine->region_fd);
	free(engine);
}

static int decode_fault(struct dsm_engine *engine, int32_t process,
			const struct dsm_k_uffd_msg *msg, struct dsm_fault *fault)
{
	uint64_t base = engine->processes[process].base;
	uint64_t offset = msg->address - base;

	if (msg->event != DSM_K_UFFD_EVENT_PAGEFAULT)
		return -EPROTO;
	if (msg->address < base || offset >= engine->region_bytes)
		return -EFAULT;

	*fault = (struct dsm_fault){
		.offset = offset,
		.thread = msg->thread,
		.process = (uint32_t)process,
	};
	fault->kind = (msg->flags & DSM_K_FLAG_WRITE) != 0 ? DSM_FAULT_WRITE : DSM_FAULT_READ;
	if ((msg->flags & DSM_K_FLAG_WP) != 0)
		fault->kind = DSM_FAULT_UPGRADE;
	dsm_engine_note_fault(engine, fault);
	return 0;
}

/*
 * Reads up to DSM_FAULT_BATCH_MAX faults into the array dsm_engine_faults(): those of a
 * process, or of all with a signal engine. Returns their number, 0 if none is waiting,
 * -EPROTO or -EFAULT for an event that was not requested, or another -errno.
 */
int32_t dsm_engine_read_faults(struct dsm_engine *engine, int32_t process)
{
	struct dsm_process *p = dsm_process_at(engine, process);
	struct dsm_k_uffd_msg msgs[DSM_FAULT_BATCH_MAX];
	ssize_t bytes;
	size_t count;

	if (p == NULL)
		return -EINVAL;
	if (engine->traps != NULL)
		return dsm_claim_read_faults(engine);
	bytes = read(p->uffd, msgs, sizeof(msgs));
	if (bytes < 0)
		return (errno == EAGAIN || errno == EINTR) ? 0 : -errno;
	if ((size_t)bytes % sizeof(msgs[0]) != 0)
		return -EPROTO;
	count = (size_t)bytes / sizeof(msgs[0]);
	for (size_t i = 0; i < count; i++) {
		int ret = decode_fault(engine, process, &msgs[i], &engine->faults[i]);

		if (ret < 0)
			return ret;
	}
	return (int32_t)count;
}

/*
 * Memory allocated to the region file in bytes, by any process; or -errno. A pool has the memory
 * of its nodes in one file, whose size this is then.
 */
int64_t dsm_engine_allocated_bytes(const struct dsm_engine *engine)
{
	struct stat status;

	if (fstat(engine->content_fd, &status) < 0)
		return -errno;
	return (int64_t)status.st_blocks * 512;
}

/* The number of attached processes. */
int32_t dsm_engine_processes(const struct dsm_engine *engine)
{
	return engine->process_count;
}

/* The descriptor that reports faults of a process; one for all with a signal engine. */
int32_t dsm_engine_fault_fd(const struct dsm_engine *engine, int32_t process)
{
	return engine->traps != NULL ? engine->event_fd : engine->processes[process].uffd;
}

/*
 * From now on a signal engine does not read the fault descriptor: an edge-triggered event
 * loop is notified of every fault and saves a system call. Returns the address of a 32-bit
 * word that is 0 while there is no unread fault; 0 without signals.
 */
uint64_t dsm_engine_watch_edges(struct dsm_engine *engine)
{
	engine->edges = engine->traps != NULL;
	return engine->edges ? (uint64_t)(uintptr_t)&engine->traps->posted : 0;
}

int32_t dsm_engine_command_fd(const struct dsm_engine *engine, int32_t process)
{
	return engine->processes[process].command_fd;
}

int32_t dsm_engine_pid(const struct dsm_engine *engine, int32_t process)
{
	return engine->processes[process].pid;
}

int32_t dsm_engine_kind(const struct dsm_engine *engine)
{
	return engine->kind;
}

int32_t dsm_engine_way(const struct dsm_engine *engine)
{
	return engine->way;
}

int32_t dsm_engine_node(const struct dsm_engine *engine)
{
	return engine->node;
}

uint64_t dsm_engine_alias(const struct dsm_engine *engine)
{
	return (uint64_t)(uintptr_t)engine->alias;
}

uint64_t dsm_engine_region_bytes(const struct dsm_engine *engine)
{
	return engine->region_bytes;
}

uint64_t dsm_engine_control(const struct dsm_engine *engine)
{
	return (uint64_t)(uintptr_t)engine->control;
}

uint64_t dsm_engine_control_bytes(const struct dsm_engine *engine)
{
	return engine->control_bytes;
}

uint64_t dsm_engine_faults(const struct dsm_engine *engine)
{
	return (uint64_t)(uintptr_t)engine->faults;
}

uint64_t dsm_engine_replies(const struct dsm_engine *engine)
{
	return (uint64_t)(uintptr_t)engine->replies;
}
