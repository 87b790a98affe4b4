/* Memory that processes share. */
#ifndef DSM_MEMORY_H
#define DSM_MEMORY_H

#include <stdint.h>

/* A descriptor of a sparse, sealed file, or -errno: its size can never change again. */
int dsm_memory_open(const char *name, uint64_t bytes);

#endif
