/* Memory that processes share. */
#ifndef DSM_MEMORY_H
#define DSM_MEMORY_H

#include <stdint.h>

/* Opens a sparse file whose size is sealed. Returns its descriptor or -errno. */
int dsm_memory_open(const char *name, uint64_t bytes);

/* Maps a file to load and store, without traps. Returns 0 or -errno. */
int dsm_memory_map(int fd, uint64_t bytes, uint8_t **address);

#endif
