/* The agent's side of one application: descriptors, the alias, and the faults. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"
#include "uffd_abi.h"

static int map_alias(int fd, uint64_t bytes, uint8_t **address)
{
	static const int advice[] = { MADV_DONTFORK, MADV_DONTDUMP, MADV_NOHUGEPAGE };
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

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
	uint64_t bytes = dsm_traps_bytes(e->region_bytes, e->page_bytes);
	uint8_t *traps;
	int ret;

	if (!dsm_has_traps(e->kind))
		return 0;
	ret = map_alias(e->traps_fd, bytes, &traps);
	if (ret < 0)
		return ret;
	ret = map_alias(e->twins_fd, e->region_bytes, &e->twins_of_traps);
	if (ret < 0)
		goto err_traps;
	ret = dsm_trap_twins_open(e);
	if (ret < 0)
		goto err_twins;
	e->traps = (struct dsm_traps *)(void *)traps;
	if (!dsm_has_uffd(e->kind))
		dsm_protect_open(e);
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
	free(e->dirtied.pages);
	munmap(e->twins_of_traps, e->region_bytes);
	munmap(e->traps, dsm_traps_bytes(e->region_bytes, e->page_bytes));
	close(e->event_fd);
	close(e->twins_fd);
	close(e->traps_fd);
}

int dsm_engine_create(const struct dsm_attach *attach, const int fds[DSM_ATTACH_FDS_MAX],
		      int command_fd, int32_t pid, struct dsm_engine **engine)
{
	uint64_t pages = attach->region_bytes / attach->page_bytes;
	struct dsm_engine *e = calloc(1, sizeof(*e));
	const int *traps;
	void *states;
	void *ring;
	int ret;

	if (e == NULL)
		return -ENOMEM;
	e->base = attach->base;
	e->region_bytes = attach->region_bytes;
	e->control_bytes = attach->control_bytes;
	e->page_bytes = attach->page_bytes;
	e->node = attach->node;
	e->kind = attach->kind;
	e->way = attach->way;
	e->pid = pid;
	e->kernel = dsm_kernel_best();
	e->twins.page_bytes = attach->page_bytes;
	e->region_fd = fds[0];
	e->control_fd = fds[1];
	e->uffd = dsm_has_uffd(e->kind) ? fds[2] : -1;
	e->command_fd = command_fd;
	traps = &fds[dsm_attach_traps_at(e->kind)];
	e->traps_fd = dsm_has_traps(e->kind) ? traps[0] : -1;
	e->twins_fd = dsm_has_traps(e->kind) ? traps[1] : -1;
	e->event_fd = dsm_has_traps(e->kind) ? traps[2] : -1;

	/*
	 * A correct application passes non-blocking descriptors; a blocking one would stop
	 * the agent.
	 */
	if ((e->uffd >= 0 && fcntl(e->uffd, F_SETFL, O_RDWR | O_NONBLOCK) < 0) ||
	    (e->event_fd >= 0 && fcntl(e->event_fd, F_SETFL, O_RDWR | O_NONBLOCK) < 0)) {
		ret = -errno;
		goto err_free;
	}
	ret = map_alias(e->region_fd, e->region_bytes, &e->alias);
	if (ret < 0)
		goto err_free;
	ret = map_alias(e->control_fd, e->control_bytes, &e->control);
	if (ret < 0)
		goto err_alias;
	ret = dsm_engine_map_zeroes(pages, &states);
	if (ret < 0)
		goto err_control;
	ret = dsm_engine_map_zeroes(ring_bytes(), &ring);
	if (ret < 0)
		goto err_states;
	ret = map_traps(e);
	if (ret < 0)
		goto err_ring;
	e->states = states;
	e->queue.ring = ring;
	*engine = e;
	return 0;

err_ring:
	munmap(ring, ring_bytes());
err_states:
	munmap(states, pages);
err_control:
	munmap(e->control, e->control_bytes);
err_alias:
	munmap(e->alias, e->region_bytes);
err_free:
	free(e);
	return ret;
}

/*
 * Closes the engine and unmaps its memory; the application sees EOF. Addresses of the
 * engine become invalid.
 */
void dsm_engine_close(struct dsm_engine *engine)
{
	unmap_traps(engine);
	dsm_twin_pool_close(&engine->twins);
	munmap(engine->queue.ring, ring_bytes());
	munmap(engine->states, engine->region_bytes / engine->page_bytes);
	munmap(engine->control, engine->control_bytes);
	munmap(engine->alias, engine->region_bytes);
	close(engine->command_fd);
	if (engine->uffd >= 0)
		close(engine->uffd);
	close(engine->control_fd);
	close(engine->region_fd);
	free(engine);
}

static int decode_fault(struct dsm_engine *engine, const struct dsm_k_uffd_msg *msg,
			struct dsm_fault *fault)
{
	uint64_t offset = msg->address - engine->base;

	if (msg->event != DSM_K_UFFD_EVENT_PAGEFAULT)
		return -EPROTO;
	if (msg->address < engine->base || offset >= engine->region_bytes)
		return -EFAULT;

	*fault = (struct dsm_fault){ .offset = offset, .thread = msg->thread };
	fault->kind = (msg->flags & DSM_K_FLAG_WRITE) != 0 ? DSM_FAULT_WRITE : DSM_FAULT_READ;
	if ((msg->flags & DSM_K_FLAG_WP) != 0)
		fault->kind = DSM_FAULT_UPGRADE;
	dsm_engine_note_fault(engine, fault);
	return 0;
}

/*
 * Reads up to DSM_FAULT_BATCH_MAX faults into the array dsm_engine_faults(). Returns their
 * number, 0 if none is waiting, -EPROTO or -EFAULT for an event that was not requested, or
 * another -errno.
 */
int32_t dsm_engine_read_faults(struct dsm_engine *engine)
{
	struct dsm_k_uffd_msg msgs[DSM_FAULT_BATCH_MAX];
	ssize_t bytes;
	size_t count;

	if (engine->traps != NULL)
		return dsm_claim_read_faults(engine);
	bytes = read(engine->uffd, msgs, sizeof(msgs));
	if (bytes < 0)
		return (errno == EAGAIN || errno == EINTR) ? 0 : -errno;
	if ((size_t)bytes % sizeof(msgs[0]) != 0)
		return -EPROTO;
	count = (size_t)bytes / sizeof(msgs[0]);
	for (size_t i = 0; i < count; i++) {
		int ret = decode_fault(engine, &msgs[i], &engine->faults[i]);

		if (ret < 0)
			return ret;
	}
	return (int32_t)count;
}

/* Memory allocated to the region file in bytes, by any process; or -errno. */
int64_t dsm_engine_allocated_bytes(const struct dsm_engine *engine)
{
	struct stat status;

	if (fstat(engine->region_fd, &status) < 0)
		return -errno;
	return (int64_t)status.st_blocks * 512;
}

int32_t dsm_engine_fault_fd(const struct dsm_engine *engine)
{
	return engine->traps != NULL ? engine->event_fd : engine->uffd;
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

int32_t dsm_engine_command_fd(const struct dsm_engine *engine)
{
	return engine->command_fd;
}

int32_t dsm_engine_pid(const struct dsm_engine *engine)
{
	return engine->pid;
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
