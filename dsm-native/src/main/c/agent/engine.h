/* Creates an engine from the descriptors of an application. */
#ifndef DSM_ENGINE_H
#define DSM_ENGINE_H

#include "state.h"

/* Creates an engine. It owns the descriptors, on success only. */
int dsm_engine_create(const struct dsm_attach *attach, const int fds[DSM_ATTACH_FDS_MAX],
		      int command_fd, int32_t pid, struct dsm_engine **engine);

#endif
