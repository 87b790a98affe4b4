/*
 * The fault engine: the contract between C and Java (package io.muninn.nativefault).
 *
 * It deals with pages, access and faults, and does not depend on the reasons for a change
 * of access.
 *
 *   application processes of a node          agent process
 *   dsm_mapping: regions, trapped   <------> dsm_engine: the same memory, never trapped
 *   command thread (native)         <------> command socket (Unix, SEQPACKET)
 *   faulting threads                ------>  userfaultfd, passed by SCM_RIGHTS, or
 *                                            slots in shared memory (traps.h), an eventfd
 *   threads that call               <------> mailboxes in the control memory (mailbox.h)
 *   protector (with mprotect)       <------> requests in shared memory (request.h)
 *
 * The processes of a node share the regions, the control memory and the twins; each has
 * page tables of its own. They are numbered from 0; the first creates the memory, and the
 * others receive it from the agent. Functions without a process change the access in all.
 *
 * Every function returns zero, a count or a length on success and -errno on failure;
 * out-parameters come last. Addresses are passed to Java as 64-bit integers. A function
 * that takes a dsm_engine is called by one thread at a time and never waits for a thread of
 * the application. Offsets and sizes of pages are in bytes, multiples of the machine's page
 * unless said otherwise.
 */
#ifndef DSM_FAULT_H
#define DSM_FAULT_H

#include <stddef.h>
#include <stdint.h>

#define DSM_ABI_VERSION 4
#define DSM_API __attribute__((visibility("default")))

#define DSM_PROCESSES_MAX 16
#define DSM_FAULT_BATCH_MAX 64
#define DSM_NEWS_BATCH_MAX 64
#define DSM_COMMAND_BATCH_MAX 64
#define DSM_COMMAND_QUEUE_MAX 65536
#define DSM_TEXT_MAX 1024
#define DSM_TOKEN_BYTES 32
#define DSM_PAGE_BYTES_MAX 65536
#define DSM_NAME_BYTES_MAX 100

#define DSM_STATUS_AGENT_GONE 3

enum dsm_access {
	DSM_ACCESS_NONE = 0,
	DSM_ACCESS_READ = 1,
	DSM_ACCESS_READ_WRITE = 2,
};

enum dsm_fault_kind {
	DSM_FAULT_READ = 0,
	DSM_FAULT_WRITE = 1,
	DSM_FAULT_UPGRADE = 2,
};

enum dsm_engine_kind {
	DSM_ENGINE_UFFD_EVENT = 0,
	DSM_ENGINE_UFFD_SIGNAL = 1,
	DSM_ENGINE_MPROTECT_SIGNAL = 2,
	DSM_ENGINE_KINDS = 3,
};

enum dsm_way {
	DSM_WAY_DEVICE = 0,
	DSM_WAY_SYSTEM_CALL = 1,
	DSM_WAY_USER_MODE_ONLY = 2,
	DSM_WAYS = 3,
	DSM_WAY_PROTECTOR = 3, /* no userfaultfd: mprotect, by a task of the application */
};

enum dsm_command_kind {
	DSM_COMMAND_PING = 1,
	DSM_COMMAND_DROP = 2,
	DSM_COMMAND_END = 3,
	DSM_COMMAND_BYE = 4,
	DSM_REPLY_PONG = 5,
	DSM_REPLY_DROPPED = 6,
	DSM_REPLY_GONE = 7,
};

/*
 * The kernels that compare pages with their twins. The last one that a machine can run is
 * the fastest.
 */
enum dsm_kernel {
	DSM_KERNEL_PORTABLE = 0,
	DSM_KERNEL_AVX2 = 1,
	DSM_KERNEL_AVX512 = 2,
	DSM_KERNEL_NEON = 3,
	DSM_KERNELS = 4,
};

/*
 * The state of a page of a signal engine. AGENT: faults are sent to the agent; only the
 * agent may change the access. READ: offered, a trap may claim it; threads may only load.
 * TWINNING: a trap is copying it. LIFTING: the twin is complete; access is about to
 * become READ_WRITE and must not be withdrawn. DIRTY: access is READ_WRITE. POISONED: an
 * access ends in SIGBUS. ABSENT: offered, a trap may claim it and enter it in the coherent
 * map; threads have no access. ENTERING: a trap is entering it, copying its frame or giving
 * its process READ.
 */
enum dsm_trap_state {
	DSM_TRAP_AGENT = 0,
	DSM_TRAP_READ = 1,
	DSM_TRAP_TWINNING = 2,
	DSM_TRAP_LIFTING = 3,
	DSM_TRAP_DIRTY = 4,
	DSM_TRAP_POISONED = 5,
	DSM_TRAP_ABSENT = 6,
	DSM_TRAP_ENTERING = 7,
};

/*
 * What traps have done to a page. DIRTIED: made its twin. ENTERED: entered it in the coherent
 * map, and mapped a copy of its frame. UNSAFE: its node must check it at each acquire. FAILED:
 * its frame could not be copied, and the agent has the page.
 */
enum dsm_news {
	DSM_NEWS_DIRTIED = 1,
	DSM_NEWS_ENTERED = 2,
	DSM_NEWS_UNSAFE = 4,
	DSM_NEWS_FAILED = 8,
};

/*
 * For tests: the step at which traps wait while the gate has this value, if the process has
 * the variable.
 */
#define DSM_GATE_VARIABLE "MUNINN_TRAP_GATE"
enum dsm_gate {
	DSM_GATE_OPEN = 0,
	DSM_GATE_TWINNING = 1,
	DSM_GATE_COPIED = 2,
	DSM_GATE_LIFTING = 3,
	DSM_GATE_PUSHED = 4,
	DSM_GATE_LIFTED = 5,
	DSM_GATE_SLOT_TAKEN = 6,
	DSM_GATE_POSTED = 7,
	DSM_GATE_ANSWERED = 8,
	DSM_GATE_ENTERING = 9,
	DSM_GATE_ENTERED = 10,
	DSM_GATE_TOLD = 11,
	DSM_GATE_FILLED = 12,
	DSM_GATE_MAPPED = 13,
	DSM_GATE_ANNOUNCED = 14,
};

/*
 * One fault: the exact byte offset of the access in the regions, the faulting thread's id,
 * and its process.
 */
struct dsm_fault {
	uint64_t offset;
	uint32_t kind;
	uint32_t thread;
	uint32_t process;
	uint32_t reserved;
};

/* One command or one reply; a packet may carry several. END is followed by its text. */
struct dsm_command {
	uint32_t kind;
	int32_t status;
	uint64_t sequence;
	uint64_t offset;
	uint64_t bytes;
};

/*
 * A page of a batch: its offset in the regions, its twin (0: none) and its diff. Each
 * function of batch.c defines `result`.
 */
struct dsm_batch_page {
	uint64_t offset;
	uint64_t twin;
	uint64_t diff;
	uint32_t bytes; /* length of the diff */
	int32_t result;
};

/* A page and its news since they were last read, bits of enum dsm_news. */
struct dsm_trap_news {
	uint64_t offset;
	uint32_t news;
	uint32_t reserved;
};

/* A page: its offset in the regions, and the address of its image (0: all zero). */
struct dsm_image {
	uint64_t offset;
	uint64_t address;
};

/* The ways that dsm_mapping_open() tried. ways[i]: 0 if not tried or used, otherwise the errno. */
struct dsm_open_report {
	int32_t ways[DSM_WAYS];
	int32_t way;
	uint64_t missing_features;
};

/* The steps of dsm_probe(), in this order. */
enum dsm_probe_step_id {
	DSM_PROBE_MEMORY = 0,
	DSM_PROBE_OPEN = 1,
	DSM_PROBE_FEATURES = 2,
	DSM_PROBE_REGISTER = 3,
	DSM_PROBE_MISSING = 4,
	DSM_PROBE_WRITE_PROTECT = 5,
	DSM_PROBE_PUNCH_HOLE = 6,
	DSM_PROBE_SYSTEM_CALL = 7,
	DSM_PROBE_POISON = 8,
	DSM_PROBE_STEPS = 9,
};

#define DSM_PROBE_NOT_RUN 1

/* The system calls that every node needs, regardless of its engine. */
enum dsm_system_call {
	DSM_CALL_MEMFD_CREATE = 0,
	DSM_CALL_EVENTFD2 = 1,
	DSM_CALL_TIMERFD_CREATE = 2,
	DSM_CALL_EPOLL_CREATE1 = 3,
	DSM_CALL_SOCKET = 4,
	DSM_CALL_SOCKETPAIR = 5,
};

/* One step: 0, -errno or DSM_PROBE_NOT_RUN, and its duration. */
struct dsm_probe_step {
	int32_t result;
	int32_t reserved;
	int64_t nanos;
};

/* missing_features: the features that the kernel lacks, if the step of that name failed. */
struct dsm_probe_report {
	struct dsm_probe_step steps[DSM_PROBE_STEPS];
	uint64_t missing_features;
};

/*
 * The agent's answer to an application that attaches: 0 or an errno, and the reason; and what
 * its descriptors are, in this order.
 */
#define DSM_CARRIED_SHARED UINT32_C(1)
#define DSM_CARRIED_POOL UINT32_C(2)
struct dsm_verdict {
	uint32_t magic;
	int32_t status;
	char text[244];
	uint32_t carried;
};

_Static_assert(sizeof(void *) == 8, "64-bit only");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian only");
_Static_assert(sizeof(struct dsm_fault) == 24, "dsm_fault");
_Static_assert(offsetof(struct dsm_fault, kind) == 8, "dsm_fault.kind");
_Static_assert(offsetof(struct dsm_fault, thread) == 12, "dsm_fault.thread");
_Static_assert(offsetof(struct dsm_fault, process) == 16, "dsm_fault.process");
_Static_assert(sizeof(struct dsm_command) == 32, "dsm_command");
_Static_assert(offsetof(struct dsm_command, status) == 4, "dsm_command.status");
_Static_assert(offsetof(struct dsm_command, sequence) == 8, "dsm_command.sequence");
_Static_assert(offsetof(struct dsm_command, offset) == 16, "dsm_command.offset");
_Static_assert(offsetof(struct dsm_command, bytes) == 24, "dsm_command.bytes");
_Static_assert(sizeof(struct dsm_open_report) == 24, "dsm_open_report");
_Static_assert(offsetof(struct dsm_open_report, way) == 12, "dsm_open_report.way");
_Static_assert(offsetof(struct dsm_open_report, missing_features) == 16, "missing_features");
_Static_assert(sizeof(struct dsm_probe_step) == 16, "dsm_probe_step");
_Static_assert(offsetof(struct dsm_probe_step, nanos) == 8, "dsm_probe_step.nanos");
_Static_assert(sizeof(struct dsm_probe_report) == 152, "dsm_probe_report");
_Static_assert(sizeof(struct dsm_verdict) == 256, "dsm_verdict");
_Static_assert(offsetof(struct dsm_verdict, text) == 8, "dsm_verdict.text");

_Static_assert(sizeof(struct dsm_trap_news) == 16, "dsm_trap_news");
_Static_assert(offsetof(struct dsm_trap_news, news) == 8, "dsm_trap_news.news");
_Static_assert(sizeof(struct dsm_image) == 16, "dsm_image");
_Static_assert(sizeof(struct dsm_batch_page) == 32, "dsm_batch_page");
_Static_assert(offsetof(struct dsm_batch_page, twin) == 8, "dsm_batch_page.twin");
_Static_assert(offsetof(struct dsm_batch_page, diff) == 16, "dsm_batch_page.diff");
_Static_assert(offsetof(struct dsm_batch_page, bytes) == 24, "dsm_batch_page.bytes");
_Static_assert(offsetof(struct dsm_batch_page, result) == 28, "dsm_batch_page.result");

struct dsm_mapping;
struct dsm_listener;
struct dsm_engine;
struct dsm_call;
struct dsm_pool;

/* abi.c: the layout as compiled in C; Java compares every value at load. */
enum dsm_abi_value {
	DSM_ABI_THE_VERSION = 0,
	DSM_ABI_FAULT_BYTES = 1,
	DSM_ABI_FAULT_KIND = 2,
	DSM_ABI_COMMAND_BYTES = 3,
	DSM_ABI_COMMAND_STATUS = 4,
	DSM_ABI_COMMAND_SEQUENCE = 5,
	DSM_ABI_COMMAND_OFFSET = 6,
	DSM_ABI_COMMAND_LENGTH = 7,
	DSM_ABI_REPORT_BYTES = 8,
	DSM_ABI_REPORT_WAY = 9,
	DSM_ABI_REPORT_MISSING = 10,
	DSM_ABI_VERDICT_BYTES = 11,
	DSM_ABI_VERDICT_TEXT = 12,
	DSM_ABI_FAULT_BATCH = 13,
	DSM_ABI_COMMAND_BATCH = 14,
	DSM_ABI_TEXT_BYTES = 15,
	DSM_ABI_NEWS_BATCH = 16,
	DSM_ABI_PROBE_BYTES = 17,
	DSM_ABI_PROBE_STEPS = 18,
	DSM_ABI_BATCH_PAGE_BYTES = 19,
	DSM_ABI_BATCH_PAGE_TWIN = 20,
	DSM_ABI_BATCH_PAGE_DIFF = 21,
	DSM_ABI_BATCH_PAGE_LENGTH = 22,
	DSM_ABI_BATCH_PAGE_RESULT = 23,
	DSM_ABI_MAIL_BYTES = 24,
	DSM_ABI_MAIL_BOXES = 25,
	DSM_ABI_MAILBOX_BYTES = 26,
	DSM_ABI_MAILBOX_AFTER = 27,
	DSM_ABI_MAILBOX_CALL = 28,
	DSM_ABI_MAILBOX_ANSWER = 29,
	DSM_ABI_MAILBOX_ANSWER_FRAME = 30,
	DSM_ABI_MAILBOX_FRAME_MAX = 31,
	DSM_ABI_FAULT_THREAD = 32,
	DSM_ABI_FAULT_PROCESS = 33,
	DSM_ABI_PROCESSES = 34,
	DSM_ABI_NEWS_BYTES = 35,
	DSM_ABI_NEWS_BITS = 36,
	DSM_ABI_VALUES = 37,
};
DSM_API int32_t dsm_abi_value(int32_t index);
DSM_API int32_t dsm_page_bytes(void);
DSM_API int32_t dsm_thread_id(void);

/* memory.c: memory of the agent that all its applications map. */
DSM_API int32_t dsm_shared_open(uint64_t bytes, uint64_t *address);

/* mapping.c: the application's side. */
DSM_API int32_t dsm_mapping_open(int32_t kind, int32_t processes, uint64_t region_bytes,
				 uint64_t control_bytes, uint64_t watch_offset,
				 struct dsm_mapping **mapping, struct dsm_open_report *report);
DSM_API int32_t dsm_mapping_join(int32_t kind, int32_t processes, uint64_t region_bytes,
				 uint64_t control_bytes, uint64_t watch_offset, int32_t process,
				 const char *name, const uint8_t *token, int32_t loss_millis,
				 struct dsm_mapping **mapping, struct dsm_open_report *report,
				 struct dsm_verdict *verdict);
DSM_API uint64_t dsm_mapping_region(const struct dsm_mapping *mapping);
DSM_API uint64_t dsm_mapping_control(const struct dsm_mapping *mapping);
DSM_API int32_t dsm_mapping_event_fd(const struct dsm_mapping *mapping);
DSM_API int32_t dsm_mapping_shared(const struct dsm_mapping *mapping, uint64_t bytes,
				   uint64_t *address);

/* pool.c: memory that all nodes of a run address. */
DSM_API int32_t dsm_pool_create(uint64_t run, uint64_t pages, int32_t nodes,
				int32_t lists_at_transition, int32_t notices_max,
				int32_t announces, struct dsm_pool **pool);
DSM_API int32_t dsm_pool_open(int32_t fd, uint64_t run, uint64_t pages, int32_t node,
			      struct dsm_pool **pool, struct dsm_verdict *verdict);
DSM_API void dsm_pool_close(struct dsm_pool *pool);
DSM_API int32_t dsm_pool_fd(const struct dsm_pool *pool);
DSM_API uint64_t dsm_pool_words(const struct dsm_pool *pool);
DSM_API uint64_t dsm_pool_words_bytes(const struct dsm_pool *pool);
DSM_API int32_t dsm_pool_nodes(const struct dsm_pool *pool);
DSM_API uint64_t dsm_pool_memory(const struct dsm_pool *pool);
DSM_API uint64_t dsm_pool_node_bytes(const struct dsm_pool *pool);
DSM_API int32_t dsm_pool_set_home(const struct dsm_pool *pool, uint64_t first, uint64_t count,
				  int32_t node);
DSM_API int32_t dsm_pool_enter(const struct dsm_pool *pool, int32_t node, uint64_t page);
DSM_API int32_t dsm_pool_publish(const struct dsm_pool *pool, int32_t node, uint64_t page);

/* probe.c: tests whether an engine works here. */
DSM_API int32_t dsm_probe(int32_t kind, int32_t way, struct dsm_probe_report *report);

/* system_calls.c: tests whether a system call is permitted. */
DSM_API int32_t dsm_system_call(int32_t call);

/* attach.c: connects the application to its agent and starts the command thread. */
DSM_API int32_t dsm_mapping_attach(struct dsm_mapping *mapping, const char *name,
				   const uint8_t *token, int32_t node, int32_t loss_millis,
				   struct dsm_verdict *verdict);
DSM_API void dsm_mapping_allow_silence(struct dsm_mapping *mapping, int32_t loss_millis);
DSM_API void dsm_mapping_watch(const struct dsm_mapping *mapping);

/* listener.c: the agent's side of attach. */
DSM_API int32_t dsm_listener_open(const char *name, struct dsm_listener **listener);
DSM_API int32_t dsm_listener_fd(const struct dsm_listener *listener);
DSM_API int32_t dsm_listener_accept(struct dsm_listener *listener, const uint8_t *token,
				    struct dsm_engine **engine, struct dsm_verdict *verdict);
DSM_API void dsm_listener_share(struct dsm_listener *listener, int32_t fd);
DSM_API void dsm_listener_use_pool(struct dsm_listener *listener, struct dsm_pool *pool);
DSM_API void dsm_listener_close(struct dsm_listener *listener);
DSM_API int32_t dsm_peer_check(int32_t fd, int64_t *user);

/* engine.c: descriptors, memory and faults of a node's processes. */
DSM_API int32_t dsm_engine_processes(const struct dsm_engine *engine);
DSM_API int32_t dsm_engine_fault_fd(const struct dsm_engine *engine, int32_t process);
DSM_API uint64_t dsm_engine_watch_edges(struct dsm_engine *engine);
DSM_API int32_t dsm_engine_command_fd(const struct dsm_engine *engine, int32_t process);
DSM_API int32_t dsm_engine_pid(const struct dsm_engine *engine, int32_t process);
DSM_API int32_t dsm_engine_kind(const struct dsm_engine *engine);
DSM_API int32_t dsm_engine_way(const struct dsm_engine *engine);
DSM_API int32_t dsm_engine_node(const struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_alias(const struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_region_bytes(const struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_control(const struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_control_bytes(const struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_faults(const struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_replies(const struct dsm_engine *engine);
DSM_API int32_t dsm_engine_read_faults(struct dsm_engine *engine, int32_t process);
DSM_API int64_t dsm_engine_allocated_bytes(const struct dsm_engine *engine);
DSM_API void dsm_engine_close(struct dsm_engine *engine);

/* claim.c: passes pages of a signal engine between its agent and its traps. */
DSM_API int32_t dsm_engine_freeze(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
DSM_API int32_t dsm_engine_seize(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
DSM_API int32_t dsm_engine_offer(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
DSM_API int32_t dsm_engine_offer_absent(struct dsm_engine *engine, uint64_t offset,
					uint64_t bytes);
DSM_API int32_t dsm_engine_trap_state(struct dsm_engine *engine, uint64_t offset);
DSM_API int32_t dsm_engine_read_news(struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_news(const struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_gate(const struct dsm_engine *engine);

/* protect.c: access that mprotect changes in the application. */
DSM_API int32_t dsm_engine_maps(struct dsm_engine *engine, int32_t process);
DSM_API int32_t dsm_engine_maps_max(const struct dsm_engine *engine);
DSM_API int32_t dsm_engine_protector(struct dsm_engine *engine, int32_t process);

/* access.c: the access of the application's pages. */
DSM_API int32_t dsm_engine_allow(struct dsm_engine *engine, int32_t process, uint64_t offset,
				 uint64_t bytes, int32_t access);
DSM_API int32_t dsm_engine_map(struct dsm_engine *engine, int32_t process, uint64_t offset,
			       uint64_t bytes);
DSM_API int32_t dsm_engine_limit(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
DSM_API int32_t dsm_engine_withdraw(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
DSM_API int32_t dsm_engine_wake(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
DSM_API int32_t dsm_engine_wake_process(struct dsm_engine *engine, int32_t process, uint64_t offset,
					uint64_t bytes);
DSM_API int32_t dsm_engine_is_mapped(struct dsm_engine *engine, int32_t process, uint64_t offset,
				     uint64_t bytes);
DSM_API int32_t dsm_engine_discard(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
DSM_API int32_t dsm_engine_poison(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);
DSM_API int32_t dsm_engine_touch(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);

/* command.c: the agent's commands to the application's command thread. */
DSM_API int64_t dsm_engine_drop(struct dsm_engine *engine, int32_t process, uint64_t offset,
				uint64_t bytes);
DSM_API int64_t dsm_engine_ping(struct dsm_engine *engine, int32_t process);
DSM_API int32_t dsm_engine_end(struct dsm_engine *engine, int32_t process, int32_t status,
			       const char *text, int32_t text_bytes);
DSM_API int32_t dsm_engine_bye(struct dsm_engine *engine, int32_t process);
DSM_API int32_t dsm_engine_read_replies(struct dsm_engine *engine, int32_t process);

/* twin.c, trap_twin.c: copies of pages, made in slabs of anonymous memory or by traps. */
DSM_API int64_t dsm_engine_twin_make(struct dsm_engine *engine, uint64_t offset, uint32_t bytes);
DSM_API int32_t dsm_engine_twin_free(struct dsm_engine *engine, uint64_t twin, uint32_t bytes);
DSM_API uint64_t dsm_engine_twin_bytes(const struct dsm_engine *engine);
DSM_API uint64_t dsm_engine_slab_bytes(const struct dsm_engine *engine);
DSM_API int64_t dsm_engine_twin_adopt(struct dsm_engine *engine, uint64_t offset, uint32_t bytes);
DSM_API int64_t dsm_engine_twin_remake(struct dsm_engine *engine, uint64_t offset, uint32_t bytes);

/*
 * diff.c, apply.c: the granules of a page that differ from its twin. Little-endian runs,
 * in ascending order:
 *
 *    0            2            4
 *   +------------+------------+--------------------------+
 *   | skip   u16 | count  u16 | count * granule bytes    |
 *   +------------+------------+--------------------------+
 *
 * skip: granules since the end of the previous run (or the page's start);
 * count: at least 1. A page holds at most 65536 granules, so a skip always
 * fits; 65536 changed one-byte granules are two runs, of 65535 and of 1.
 */
DSM_API int32_t dsm_kernel_runs(int32_t kernel);
DSM_API int32_t dsm_kernel_best(void);
DSM_API int64_t dsm_diff(int32_t kernel, const void *page, const void *twin, uint32_t bytes,
			 uint32_t granule, void *out, uint32_t capacity);
DSM_API int64_t dsm_diff_keep(int32_t kernel, const void *page, void *twin, uint32_t bytes,
			      uint32_t granule, void *out, uint32_t capacity);
DSM_API int32_t dsm_engine_use_kernel(struct dsm_engine *engine, int32_t kernel);
DSM_API int32_t dsm_apply(const void *diff, uint32_t length, void *page, void *twin,
			  uint32_t bytes, uint32_t granule);
DSM_API int32_t dsm_diff_bytes_max(uint32_t bytes, uint32_t granule);
DSM_API int64_t dsm_engine_diff(struct dsm_engine *engine, uint64_t offset, uint64_t twin,
				uint32_t bytes, uint32_t granule, void *out, uint32_t capacity);
DSM_API int64_t dsm_engine_diff_keep(struct dsm_engine *engine, uint64_t offset, uint64_t twin,
				     uint32_t bytes, uint32_t granule, void *out,
				     uint32_t capacity);
DSM_API int32_t dsm_engine_apply(struct dsm_engine *engine, const void *diff, uint32_t length,
				 uint64_t offset, uint64_t twin, uint32_t bytes,
				 uint32_t granule);
DSM_API int32_t dsm_engine_is_zero(struct dsm_engine *engine, uint64_t offset, uint64_t bytes);

/* install.c: content and access at once. */
DSM_API int32_t dsm_install_images(struct dsm_engine *engine, int32_t process,
				   const struct dsm_image *images, uint32_t count, uint32_t bytes,
				   int32_t access);

/* enter.c: pages of a pool, without a trap. */
DSM_API int32_t dsm_engine_enter(struct dsm_engine *engine, int32_t process, uint64_t offset,
				 uint64_t bytes);
DSM_API int32_t dsm_engine_write_back(struct dsm_engine *engine, const void *diff,
				      uint32_t length, uint64_t offset, uint32_t bytes,
				      uint32_t granule);

/* batch.c: operations on many pages of one size. */
DSM_API int32_t dsm_batch_freeze(struct dsm_engine *engine, struct dsm_batch_page *pages,
				 uint32_t count, uint32_t bytes);
DSM_API int32_t dsm_batch_offer(struct dsm_engine *engine, struct dsm_batch_page *pages,
				uint32_t count, uint32_t bytes);
DSM_API int64_t dsm_batch_diff(struct dsm_engine *engine, struct dsm_batch_page *pages,
			       uint32_t count, uint32_t bytes, uint32_t granule, int32_t keep,
			       uint8_t *out, uint32_t capacity);
DSM_API int32_t dsm_batch_apply(struct dsm_engine *engine, struct dsm_batch_page *pages,
				uint32_t count, uint32_t bytes, uint32_t granule);

/* mail.c: short calls and answers in the control memory. */
DSM_API void dsm_mail_wake(uint64_t answer);

/* call.c: one application thread's blocking connection to its agent. */
DSM_API int32_t dsm_call_open(const char *name, struct dsm_call **call);
DSM_API int32_t dsm_call_use_mailbox(struct dsm_call *call, uint64_t mail, int32_t index,
				     int32_t event_fd);
DSM_API int32_t dsm_call_send(struct dsm_call *call, const void *frame, uint32_t bytes);
DSM_API void dsm_call_spin(struct dsm_call *call, int64_t nanos);
DSM_API int32_t dsm_call_receive(struct dsm_call *call, void *frame, uint32_t capacity,
				 int32_t timeout_millis);
DSM_API int32_t dsm_call_exchange(struct dsm_call *call, void *frame, uint32_t bytes,
				  uint32_t capacity);
DSM_API void dsm_call_close(struct dsm_call *call);

/* quit.c: SIGQUIT of a JVM. The first waits for one, and returns 0 or -errno; one thread calls it. */
DSM_API int32_t dsm_quit_await(void);
DSM_API int32_t dsm_quit_ignore_terminal(void);

#endif
