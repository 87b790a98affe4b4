/* The agent's half of one node's memory, and of its processes, and the functions that its files share. */
#ifndef DSM_STATE_H
#define DSM_STATE_H

#include <sys/uio.h>

#include "dsm_fault.h"
#include "pool.h"
#include "socket.h"
#include "traps.h"

#define DSM_TWIN_CLASSES 5

/*
 * The engine's record of one machine page in one process. UNMAPPED and MAPPED are only
 * hints for the ioctl to try first: the kernel may unmap a page under memory pressure, and
 * the next fault corrects the hint. DROPPING and POISONED are exact.
 */
enum dsm_page_state {
	DSM_PAGE_UNMAPPED = 0,
	DSM_PAGE_MAPPED = 1,
	DSM_PAGE_DROPPING = 2,
	DSM_PAGE_POISONED = 3,
};

struct dsm_slab;

struct dsm_twin_pool {
	struct dsm_slab *partial[DSM_TWIN_CLASSES];
	struct dsm_slab *full[DSM_TWIN_CLASSES];
	uint64_t twin_bytes;
	uint64_t slab_bytes;
	uint32_t page_bytes;
	uint32_t reserved;
};

/* Commands not yet accepted by the socket: [head, tail) of a ring of DSM_COMMAND_QUEUE_MAX. */
struct dsm_command_queue {
	struct dsm_command *ring;
	uint64_t head;
	uint64_t tail;
	uint64_t sequence;
	uint32_t text_bytes;
	char text[DSM_TEXT_MAX];
};

/* News of a machine page. */
struct dsm_told_page {
	uint32_t index;
	uint32_t news; /* enum dsm_news */
};

/* What traps have told, taken from the shared stack and not yet read. */
struct dsm_told {
	struct dsm_told_page *pages; /* those from `first` on, in the order of the stacks */
	uint64_t capacity;
	uint64_t first;
	uint64_t count;
	uint32_t chain; /* index + 1 of the pages taken and not yet moved to `pages` */
	uint32_t reserved;
	struct dsm_trap_news batch[DSM_NEWS_BATCH_MAX];
};

/* A slot whose fault has been read but not answered, with its word and offset at that time. */
struct dsm_open_slot {
	uint64_t offset;
	uint32_t index;
	uint32_t word;
};

struct dsm_posted {
	uint32_t slots[DSM_SLOTS]; /* posted and not yet read */
	struct dsm_open_slot open[DSM_SLOTS];
	uint32_t count;
	uint32_t open_count;
};

/* Twins that traps have made, by machine page; and a ring of pages whose twins were freed. */
struct dsm_trap_twins {
	uint8_t *marks;
	uint32_t *ring;
	uint64_t pages;
	uint64_t head;
	uint64_t tail;
	uint64_t kept_bytes;
	uint64_t used_bytes;
};

/* One process of the node. */
struct dsm_process {
	uint64_t base; /* address of the regions in the process */
	uint8_t *states; /* one enum dsm_page_state per machine page */
	uint8_t *accesses; /* with mprotect: one per machine page, in the memory of the traps */
	struct dsm_trap_process *own; /* in the memory of the traps; NULL without signals */
	uint64_t changed_end; /* the agent has given access to no machine page at or beyond it */
	uint32_t maps_max;
	uint32_t maps_found; /* result of the last full count */
	int uffd; /* -1 with mprotect */
	int command_fd;
	int32_t pid;
	int32_t gone; /* the end of the process has been reported */
	struct dsm_command_queue queue;
};

struct dsm_engine {
	uint64_t region_bytes;
	uint64_t control_bytes;
	uint64_t page_bytes;
	uint8_t *alias;
	uint8_t *control;
	struct dsm_traps *traps; /* NULL without signals, as are the twins of traps */
	uint8_t *twins_of_traps;
	int region_fd;
	int content_fd; /* of the regions: region_fd, or the pool's */
	uint64_t content_at; /* place of the regions in that file */
	int control_fd;
	int traps_fd; /* this and the next two: -1 without signals */
	int twins_fd;
	int event_fd;
	int32_t node;
	int32_t processes_max;
	int32_t process_count; /* attached; those from 0 on */
	int32_t kind; /* enum dsm_engine_kind */
	int32_t way;
	int32_t edges; /* the eventfd is watched edge-triggered and never read */
	int32_t kernel; /* enum dsm_kernel */
	struct dsm_pool *pool; /* owned by its creator; NULL if there is none */
	uint64_t absent_end; /* no machine page at or beyond it was offered for entering */
	struct dsm_twin_pool twins;
	struct dsm_trap_twins trap_twins;
	struct dsm_told told;
	struct dsm_posted posted;
	struct dsm_process processes[DSM_PROCESSES_MAX];
	struct dsm_fault faults[DSM_FAULT_BATCH_MAX];
	struct dsm_command replies[DSM_COMMAND_BATCH_MAX];
};

int dsm_check_states(const struct dsm_engine *engine, const struct dsm_process *process,
		     uint64_t offset, uint64_t bytes);
int dsm_has_state(const struct dsm_engine *engine, const struct dsm_process *process,
		  uint64_t offset, uint64_t bytes, uint8_t state);
int dsm_fill(const struct dsm_engine *engine, uint64_t offset, struct iovec *parts, int count);
void dsm_engine_note_fault(struct dsm_engine *engine, const struct dsm_fault *fault);

int dsm_claim_allows(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes,
		     int32_t access);
int dsm_claim_read_faults(struct dsm_engine *engine);
void dsm_claim_poison(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
void dsm_claim_wake(struct dsm_engine *engine, int32_t process, uint64_t offset, uint64_t bytes);

void dsm_protect_open(struct dsm_process *process, uint8_t *accesses);
int dsm_protect(struct dsm_engine *engine, struct dsm_process *process, uint64_t offset,
		uint64_t bytes, uint8_t access);
int dsm_protect_has_content(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes);

int dsm_trap_twins_open(struct dsm_engine *engine);
void dsm_trap_twins_close(struct dsm_engine *engine);
int dsm_trap_twin_give(struct dsm_engine *engine, uint64_t offset, uint32_t bytes);

int dsm_engine_map_zeroes(uint64_t bytes, void **address);
int dsm_command_flush(struct dsm_process *process);

void dsm_twin_pool_close(struct dsm_twin_pool *pool);
int64_t dsm_twin_pool_take(struct dsm_twin_pool *pool, uint32_t bytes);
int dsm_twin_pool_give(struct dsm_twin_pool *pool, uint64_t twin, uint32_t bytes);

/* The attached process with this number; NULL if there is none. */
static inline struct dsm_process *dsm_process_at(struct dsm_engine *engine, int32_t process)
{
	return process >= 0 && process < engine->process_count ? &engine->processes[process] : NULL;
}

/* True for at least one whole machine page inside the regions. */
static inline int dsm_is_range(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	return bytes != 0 && (offset | bytes) % engine->page_bytes == 0 &&
	       offset <= engine->region_bytes && bytes <= engine->region_bytes - offset;
}

/*
 * True for one page of a signal engine: a power of two up to DSM_PAGE_BYTES_MAX, aligned to
 * its size.
 */
static inline int dsm_is_trap_page(const struct dsm_engine *engine, uint64_t offset,
				   uint64_t bytes)
{
	return engine->traps != NULL && dsm_is_range(engine, offset, bytes) &&
	       bytes <= DSM_PAGE_BYTES_MAX && (bytes & (bytes - 1)) == 0 && offset % bytes == 0;
}

#endif
