/* Creates an engine from the descriptors of a node's processes. */
#ifndef DSM_ENGINE_H
#define DSM_ENGINE_H

#include "state.h"

/*
 * Creates an engine of the first process. It owns the descriptors, on success only. `pool`:
 * has the memory of the regions, in place of their own file; or NULL.
 */
int dsm_engine_create(const struct dsm_attach *attach, const int fds[DSM_ATTACH_FDS_MAX],
		      int command_fd, int32_t pid, struct dsm_pool *pool,
		      struct dsm_engine **engine);

/* Adds the next process. The engine owns the descriptors, on success only. Returns 0 or -errno. */
int dsm_engine_add(struct dsm_engine *engine, const struct dsm_attach *attach, int uffd,
		   int command_fd, int32_t pid);

/* The descriptors of the memory, owned by the engine. Returns their number. */
uint32_t dsm_engine_memory(const struct dsm_engine *engine, int fds[DSM_ATTACH_FDS_MAX]);

#endif
