/* The parts of a probe that differ for an engine with mprotect. */
#ifndef DSM_PROBE_MPROTECT_H
#define DSM_PROBE_MPROTECT_H

#include "probe_pages.h"

_Noreturn void dsm_probe_mprotect_child(struct probe *p);
int32_t dsm_probe_mprotect_answer(struct probe *p, const struct question *question);

#endif
