/* The application's half of one node's memory. */
#ifndef DSM_MAPPING_H
#define DSM_MAPPING_H

#include "dsm_fault.h"

struct dsm_mapping {
	uint8_t *region;
	uint8_t *control;
	uint64_t region_bytes;
	uint64_t control_bytes;
	int region_fd;
	int control_fd;
	int uffd; /* kept open: without it the death of the agent would turn pages into zeros */
	int socket;
	int32_t kind; /* enum dsm_engine_kind */
	int32_t way;
	int32_t node;
	int32_t loss_millis;
	int32_t attached;
};

#endif
