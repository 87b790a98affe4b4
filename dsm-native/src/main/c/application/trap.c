/*
 * The trap of a signal engine: SIGBUS in the faulting thread, or SIGSEGV with mprotect. The
 * handler resolves the fault of a page that the agent has offered (trap_page.c), and posts
 * every other fault to the agent in a slot. It allocates nothing, takes no lock, accesses the regions only
 * through the alias, and uses no thread-local storage except errno.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "futex.h"
#include "handler.h"
#include "memory.h"
#include "process.h"
#include "socket.h"
#include "trap.h"
#include "trap_page.h"

#define SLOT_WAIT_NANOS 10000000
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* The only one of the process; it is valid as long as the mapping. */
static struct dsm_mapping *trapped;
static int trapped_signal;
static struct dsm_action before;

/* A page whose first access raises the signal, to see whether its handler is called. */
static uint8_t *volatile trial;
static volatile sig_atomic_t trial_reached;

#if defined(__x86_64__)
#define ERROR_PRESENT 1
#define ERROR_WRITE 2

/* The kind of a fault. A page with access READ is present in the processor's page tables. */
static uint32_t kind_of(const ucontext_t *context)
{
	greg_t error = context->uc_mcontext.gregs[REG_ERR];

	if ((error & ERROR_WRITE) == 0)
		return DSM_FAULT_READ;
	return (error & ERROR_PRESENT) != 0 ? DSM_FAULT_UPGRADE : DSM_FAULT_WRITE;
}
#elif defined(__aarch64__)
#define ESR_RECORD_MAGIC UINT32_C(0x45535201)
#define ESR_WRITE (UINT64_C(1) << 6)
#define ESR_STATUS UINT64_C(0x3c)
#define ESR_STATUS_ACCESS UINT64_C(0x0c) /* the page is present but not writable */

struct record {
	uint32_t magic;
	uint32_t bytes;
	uint64_t esr;
};

static uint32_t kind_of(const ucontext_t *context)
{
	const uint8_t *at = context->uc_mcontext.__reserved;
	const uint8_t *end = at + sizeof(context->uc_mcontext.__reserved);

	while (at + sizeof(struct record) <= end) {
		struct record record;

		memcpy(&record, at, sizeof(record));
		if (record.magic == ESR_RECORD_MAGIC) {
			if ((record.esr & ESR_WRITE) == 0)
				return DSM_FAULT_READ;
			return (record.esr & ESR_STATUS) == ESR_STATUS_ACCESS ? DSM_FAULT_UPGRADE :
										DSM_FAULT_WRITE;
		}
		if (record.magic == 0 || record.bytes == 0)
			break;
		at += record.bytes;
	}
	return DSM_FAULT_WRITE; /* never less than needed, and never a wrong upgrade */
}
#endif

static struct dsm_slot *take_slot(struct dsm_traps *traps)
{
	uint64_t start = ((uint64_t)(uintptr_t)&traps >> 12) * HASH_FACTOR >> 32;

	for (;;) {
		struct timespec limit = { .tv_nsec = SLOT_WAIT_NANOS };
		uint32_t freed = dsm_trap_load(&traps->freed);

		for (uint64_t i = 0; i < DSM_SLOTS; i++) {
			struct dsm_slot *slot = &traps->slots[(start + i) % DSM_SLOTS];
			uint32_t word = dsm_trap_load(&slot->word);

			if ((word & DSM_SLOT_STATE) == DSM_SLOT_FREE &&
			    dsm_trap_change(&slot->word, &word, word + DSM_SLOT_TAKEN))
				return slot;
		}
		__atomic_add_fetch(&traps->without_slot, 1, __ATOMIC_SEQ_CST);
		dsm_futex_wait(&traps->freed, freed, &limit);
		__atomic_sub_fetch(&traps->without_slot, 1, __ATOMIC_SEQ_CST);
	}
}

static void free_slot(struct dsm_traps *traps, struct dsm_slot *slot, uint32_t sequence)
{
	__atomic_store_n(&slot->word, sequence + DSM_SLOT_SEQUENCE, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&traps->freed, 1, __ATOMIC_SEQ_CST);
	if (dsm_trap_load(&traps->without_slot) != 0)
		dsm_futex_wake(&traps->freed, INT_MAX);
}

/*
 * Posts the fault and waits for the agent's answer. If the agent is gone, attach.c ends the
 * process.
 */
static void send_to_agent(const struct dsm_mapping *mapping, uint64_t offset, uint32_t kind)
{
	struct dsm_traps *traps = mapping->traps;
	struct dsm_slot *slot = take_slot(traps);
	uint32_t sequence = dsm_trap_load(&slot->word) & ~DSM_SLOT_STATE;
	uint32_t posted = sequence + DSM_SLOT_POSTED;

	dsm_trap_pass_gate(mapping, DSM_GATE_SLOT_TAKEN);
	slot->offset = offset;
	slot->kind = kind;
	slot->thread = (uint32_t)gettid();
	slot->process = (uint32_t)mapping->process;
	__atomic_store_n(&slot->word, posted, __ATOMIC_RELEASE);
	if (dsm_trap_push(&traps->posted, &slot->next, (uint32_t)(slot - traps->slots) + 1))
		dsm_trap_notify(mapping->event_fd);
	dsm_trap_pass_gate(mapping, DSM_GATE_POSTED);
	while (dsm_trap_load(&slot->word) == posted)
		dsm_futex_wait(&slot->word, posted, NULL);
	dsm_trap_pass_gate(mapping, DSM_GATE_ANSWERED);
	free_slot(traps, slot, sequence);
}

static int is_poisoned(const struct dsm_mapping *mapping, uint64_t offset)
{
	const uint32_t *word = &mapping->traps->pages[offset / mapping->page_bytes].word;

	return (dsm_trap_load(word) & DSM_TRAP_STATE) == DSM_TRAP_POISONED;
}

/* Blocks the signals of a mask as the kernel has it. */
static void block(uint64_t mask)
{
	(void)syscall(SYS_rt_sigprocmask, SIG_BLOCK, &mask, NULL, sizeof(mask));
}

/* Handles the signal as if this handler were not installed. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
	union {
		dsm_handler handler;
		void (*simple)(int);
	} other = { .handler = before.handler };

	if ((before.flags & SA_SIGINFO) != 0) {
		block(before.mask);
		other.handler(signal, info, context);
	} else if (other.simple == SIG_IGN && info->si_code <= 0) {
		return; /* sent by a process */
	} else if (other.simple == SIG_DFL || other.simple == SIG_IGN) {
		struct dsm_action end = { .handler = NULL }; /* SIG_DFL */

		/* The access is repeated and ends the process. */
		(void)dsm_handler_restore(signal, &end);
		if (info->si_code <= 0)
			(void)raise(signal);
	} else {
		other.simple(signal);
	}
}

/* True if this was the access of a trial, which then continues. */
static int end_trial(const siginfo_t *info)
{
	if (trial == NULL || info->si_addr != trial)
		return 0;
	trial_reached = 1;
	return mmap(trial, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == trial;
}

static void on_bus_error(int signal, siginfo_t *info, void *context)
{
	const struct dsm_mapping *mapping = trapped;
	uint64_t offset = (uint64_t)(uintptr_t)info->si_addr - (uint64_t)(uintptr_t)mapping->region;
	int error = errno;

	if (info->si_code == BUS_ADRERR && offset < mapping->region_bytes &&
	    !is_poisoned(mapping, offset)) {
		uint32_t kind = kind_of(context);

		if (!dsm_trap_resolve(mapping, offset, kind))
			send_to_agent(mapping, offset, kind);
	} else if (!end_trial(info)) {
		pass_on(signal, info, context);
	}
	errno = error;
}

/* The access may have been granted since; then the thread only repeats it. */
static void resolve_access(const struct dsm_mapping *mapping, uint64_t offset, uint32_t kind)
{
	uint8_t access = dsm_trap_access(&mapping->accesses[offset / mapping->page_bytes]);

	if (access >= DSM_ACCESS_READ_WRITE || (access == DSM_ACCESS_READ && kind == DSM_FAULT_READ))
		return;
	if (kind != DSM_FAULT_READ)
		kind = access == DSM_ACCESS_READ ? DSM_FAULT_UPGRADE : DSM_FAULT_WRITE;
	if (!dsm_trap_resolve(mapping, offset, kind))
		send_to_agent(mapping, offset, kind);
}

static void on_access_error(int signal, siginfo_t *info, void *context)
{
	const struct dsm_mapping *mapping = trapped;
	uint64_t offset = (uint64_t)(uintptr_t)info->si_addr - (uint64_t)(uintptr_t)mapping->region;
	int error = errno;

	if (info->si_code == SEGV_ACCERR && offset < mapping->region_bytes)
		resolve_access(mapping, offset, kind_of(context));
	else if (!end_trial(info))
		pass_on(signal, info, context);
	errno = error;
}

static dsm_handler handler(void)
{
	return trapped_signal == SIGBUS ? on_bus_error : on_access_error;
}

/*
 * Raises the signal as an access to a region does: by a page beyond the end of a file, or
 * without access. Returns 0, -ENOMSG if the handler was not called, or another -errno.
 */
static int try_handler(const struct dsm_mapping *mapping)
{
	int is_bus = trapped_signal == SIGBUS;
	int nothing = dsm_memory_open("muninn-nothing", 0);
	void *mapped;

	if (nothing < 0)
		return nothing;
	mapped = mmap(NULL, mapping->page_bytes, is_bus ? PROT_READ : PROT_NONE, MAP_SHARED,
		      nothing, 0);
	close(nothing);
	if (mapped == MAP_FAILED)
		return -errno;
	trial_reached = 0;
	trial = mapped;
	(void)*(volatile uint8_t *)mapped;
	trial = NULL;
	munmap(mapped, mapping->page_bytes);
	return trial_reached != 0 ? 0 : -ENOMSG;
}

/*
 * Returns 0; -EEXIST if this process has such a mapping already; -ENOMSG if the signal does
 * not reach the handler; or another -errno.
 */
int dsm_trap_install(struct dsm_mapping *mapping)
{
	struct dsm_mapping *none = NULL;
	int ret;

	if (!__atomic_compare_exchange_n(&trapped, &none, mapping, 0, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST))
		return -EEXIST;
	trapped_signal = dsm_has_uffd(mapping->kind) ? SIGBUS : SIGSEGV;
	ret = dsm_handler_read(trapped_signal, &before);
	if (ret == 0)
		ret = dsm_handler_install(trapped_signal, handler(), &before);
	if (ret == 0)
		ret = try_handler(mapping);
	if (ret < 0)
		dsm_trap_uninstall();
	return ret;
}

void dsm_trap_uninstall(void)
{
	(void)dsm_handler_restore(trapped_signal, &before);
	trapped = NULL;
}

/* The handler in place of this one; NULL if there is none. */
static void *replacement(void)
{
	struct dsm_action now;

	if (trapped == NULL || dsm_handler_read(trapped_signal, &now) < 0)
		return NULL;
	return now.handler == handler() ? NULL : (void *)(uintptr_t)now.handler;
}

void dsm_trap_watch(const struct dsm_mapping *mapping)
{
	static uint32_t warned;
	char library[DSM_TEXT_MAX / 2];
	char text[DSM_TEXT_MAX];
	void *address = replacement();
	int bytes;

	if (address == NULL || __atomic_exchange_n(&warned, 1, __ATOMIC_SEQ_CST) != 0)
		return;
	dsm_process_file(address, library, sizeof(library));
	bytes = snprintf(text, sizeof(text),
			 "muninn: node %d: warning: %s has replaced the handler of %s, by which "
			 "this engine traps accesses to shared memory. If it does not call the "
			 "handler before it, accesses fail. Preload the JDK's libjsig.so "
			 "(LD_PRELOAD), or run with --engine uffd+event\n",
			 mapping->node, library, trapped_signal == SIGBUS ? "SIGBUS" : "SIGSEGV");
	if (bytes > 0)
		dsm_process_print(text, (size_t)bytes);
}
