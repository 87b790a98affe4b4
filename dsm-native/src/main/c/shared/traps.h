/*
 * The memory that the traps of a node's processes share with their agent, in addition to
 * the regions:
 *
 *    header | slots | one struct dsm_trap_page per machine page
 *           | for each process one byte per machine page
 *
 * and, in a separate file, the twins that traps make: the twin of offset X is at X.
 *
 * The words are changed by compare-and-set. The table in
 * docs/decisions/0034-signals-as-traps.md defines which side may change which word. The
 * bytes, the request and the numbers of mappings are used with mprotect only;
 * docs/decisions/0043-mprotect-by-a-task-beside-the-threads.md explains them.
 */
#ifndef DSM_TRAPS_H
#define DSM_TRAPS_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "dsm_fault.h"

#define DSM_SLOTS 1024
#define DSM_TRAPS_HEADER_BYTES 4096

/*
 * The word of a page: its state; STALE while a trap that has lost the page may still store
 * to the twin; the binary logarithm of the machine pages per page; POOLED once the page was
 * offered for entering. The state of a page of several machine pages is that of the first.
 */
#define DSM_TRAP_STATE UINT32_C(7)
#define DSM_TRAP_STALE UINT32_C(8)
#define DSM_TRAP_ORDER_SHIFT 4
#define DSM_TRAP_ORDER (UINT32_C(7) << DSM_TRAP_ORDER_SHIFT)
#define DSM_TRAP_POOLED UINT32_C(128)

/*
 * What traps have done to a page, in bits that a trap sets before it gives access and the
 * agent clears. Bits from MAPPED_SHIFT on: a trap of that process has mapped the page.
 */
#define DSM_NEWS_MAPPED_SHIFT 16
_Static_assert(DSM_NEWS_MAPPED_SHIFT + DSM_PROCESSES_MAX <= 32, "a bit for each process");

/*
 * The word of a slot: sequence number << 2 | state. The number prevents an answer to an
 * earlier fault of the slot.
 */
enum dsm_slot_state {
	DSM_SLOT_FREE = 0,
	DSM_SLOT_TAKEN = 1,
	DSM_SLOT_POSTED = 2,
	DSM_SLOT_ANSWERED = 3,
};
#define DSM_SLOT_STATE UINT32_C(3)
#define DSM_SLOT_SEQUENCE UINT32_C(4)

/* A thread that waits for its agent. */
struct dsm_slot {
	_Alignas(64) uint32_t word;
	uint32_t next; /* index + 1 of the slot posted before it */
	uint64_t offset;
	uint32_t kind; /* enum dsm_fault_kind */
	uint32_t thread; /* its id, which is the system's */
	uint32_t process; /* the thread's */
};

/*
 * The agent's request to the protector. The agent waits for the answer, so there is one at
 * a time.
 */
struct dsm_request {
	_Alignas(64) uint32_t asked; /* number of the last request; the protector waits for the next */
	uint32_t done; /* number of the last executed request; the agent waits for it */
	uint32_t access; /* enum dsm_access, or DSM_ACCESS_ENDED */
	int32_t result; /* 0 or -errno */
	uint64_t offset;
	uint64_t bytes;
};

/* The page is permanently discarded: every access causes a signal. */
#define DSM_ACCESS_ENDED 3

struct dsm_trap_page {
	uint32_t word;
	uint32_t next; /* index + 1 of the machine page that has had news before it */
	uint32_t news; /* not 0: it is on the stack, or a trap is about to push it */
};

/* What belongs to one process; used with mprotect only. */
struct dsm_trap_process {
	_Alignas(64) uint32_t maps; /* boundaries between pages of different access; never too low */
	uint32_t maps_max; /* traps create no boundary beyond it */
	uint32_t protector; /* id of the task */
	struct dsm_request request;
};

/* Heads of stacks: threads push, the agent takes all at once. Each in a cache line of its own. */
struct dsm_traps {
	_Alignas(64) uint32_t told; /* index + 1 of a machine page with news */
	_Alignas(64) uint32_t posted; /* index + 1 of a slot */
	_Alignas(64) uint32_t freed; /* counts freed slots; threads without a slot wait on it */
	uint32_t without_slot;
	_Alignas(64) uint32_t gate; /* for tests: enum dsm_gate at which traps wait */
	uint32_t at_gate; /* total number of threads that have reached it */
	struct dsm_trap_process processes[DSM_PROCESSES_MAX];
	_Alignas(DSM_TRAPS_HEADER_BYTES) struct dsm_slot slots[DSM_SLOTS];
	struct dsm_trap_page pages[];
};

_Static_assert(offsetof(struct dsm_traps, gate) == 192, "tests of whole runs write it there");
_Static_assert(offsetof(struct dsm_traps, slots) == DSM_TRAPS_HEADER_BYTES, "header");
_Static_assert(sizeof(struct dsm_slot) == 64, "dsm_slot");
_Static_assert(sizeof(struct dsm_trap_page) == 12, "dsm_trap_page");

/* Size of the file in bytes, whole machine pages. */
static inline uint64_t dsm_traps_bytes(uint64_t region_bytes, uint64_t page_bytes,
				       int32_t processes)
{
	uint64_t pages = region_bytes / page_bytes;
	uint64_t bytes = offsetof(struct dsm_traps, pages) +
			 pages * (sizeof(struct dsm_trap_page) + (uint64_t)processes);

	return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/* The access of a process to each of `pages` machine pages; never more than its mapping permits. */
static inline uint8_t *dsm_trap_accesses(struct dsm_traps *traps, uint64_t pages, int32_t process)
{
	return (uint8_t *)&traps->pages[pages] + pages * (uint64_t)process;
}

static inline uint8_t dsm_trap_access(const uint8_t *access)
{
	return __atomic_load_n(access, __ATOMIC_ACQUIRE);
}

static inline void dsm_trap_set_access(uint8_t *access, uint64_t pages, uint8_t value)
{
	for (uint64_t i = 0; i < pages; i++)
		__atomic_store_n(&access[i], value, __ATOMIC_SEQ_CST);
}

/* Pauses between two loads of a word that is about to change. */
static inline void dsm_trap_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("yield");
#endif
}

static inline uint32_t dsm_trap_load(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Full fence. Returns 1 if *word was `expected`; otherwise 0, with `expected` set to its value. */
static inline int dsm_trap_change(uint32_t *word, uint32_t *expected, uint32_t desired)
{
	return __atomic_compare_exchange_n(word, expected, desired, 0, __ATOMIC_SEQ_CST,
					   __ATOMIC_ACQUIRE);
}

static inline uint32_t dsm_trap_with_state(uint32_t word, uint32_t state)
{
	return (word & ~DSM_TRAP_STATE) | state;
}

static inline uint32_t dsm_trap_order(uint32_t word)
{
	return (word & DSM_TRAP_ORDER) >> DSM_TRAP_ORDER_SHIFT;
}

/* Pushes an element whose link is `next`. Returns 1 if the stack was empty. */
static inline int dsm_trap_push(uint32_t *head, uint32_t *next, uint32_t element)
{
	uint32_t before = dsm_trap_load(head);

	do {
		__atomic_store_n(next, before, __ATOMIC_RELAXED);
	} while (!dsm_trap_change(head, &before, element));
	return before == 0;
}

/* Notifies the agent that a stack is no longer empty. */
static inline void dsm_trap_notify(int event_fd)
{
	uint64_t one = 1;
	ssize_t written;

	do {
		written = write(event_fd, &one, sizeof(one));
	} while (written < 0 && errno == EINTR);
}

/* Takes all elements; the first is the last that was pushed. */
static inline uint32_t dsm_trap_take_all(uint32_t *head)
{
	if (dsm_trap_load(head) == 0)
		return 0;
	return __atomic_exchange_n(head, 0, __ATOMIC_SEQ_CST);
}

#endif
