/* One process's half of its node's memory. */
#ifndef DSM_NODE_MEMORY_H
#define DSM_NODE_MEMORY_H

#include "dsm_fault.h"
#include "protector.h"

struct dsm_mapping {
	uint8_t *region;
	uint8_t *control;
	const uint8_t *alias; /* this and the next four: signal engines only */
	uint8_t *twins;
	struct dsm_traps *traps;
	uint8_t *accesses; /* of this process, in the memory of the traps */
	uint32_t *watch; /* in the control memory */
	uint64_t page_bytes;
	uint64_t region_bytes;
	uint64_t control_bytes;
	int region_fd;
	int control_fd;
	int traps_fd; /* this and the next two: -1 without signals */
	int twins_fd;
	int event_fd;
	int shared_fd; /* of the agent, for all its applications; or -1 */
	int uffd; /* kept open, or pages would become zeros when the agent dies; or -1 */
	int socket;
	int32_t kind; /* enum dsm_engine_kind */
	int32_t way;
	int32_t node;
	int32_t process;
	int32_t processes; /* of the node */
	int32_t loss_millis;
	int32_t attached;
	int32_t gated; /* tests may hold traps at a gate */
	struct dsm_pool *pool; /* NULL if the agent has none */
	struct dsm_protector protector; /* with mprotect only */
};

/* Opens a userfaultfd in this way. Returns its descriptor or -errno. */
int dsm_uffd_open(int way);

/*
 * Enables the features that an engine needs. Returns 0 or -errno: -EINVAL if the kernel
 * lacks some.
 */
int dsm_uffd_enable(int uffd, int32_t kind);

/* The features that an engine needs and this kernel lacks; all of them if it does not answer. */
uint64_t dsm_uffd_missing(int way, int32_t kind);

/*
 * attach.c: requests the memory of the node from the agent; descriptors that do not exist
 * stay -1. Returns as dsm_mapping_attach().
 */
int dsm_mapping_ask(struct dsm_mapping *mapping, const char *name, const uint8_t *token,
		    int32_t loss_millis, struct dsm_verdict *verdict);

/*
 * Moves the regions, which no thread has accessed, from their file to the memory of this node
 * in its pool. Returns 0 or -errno.
 */
int dsm_mapping_move(struct dsm_mapping *mapping);

/* keeper.c: starts the protector, and ends the process when it ends. Returns 0 or -errno. */
int dsm_keeper_start(struct dsm_mapping *mapping);

#endif
