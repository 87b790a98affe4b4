/* The pages of a probe, and the signals that accesses to them raise. */
#define _GNU_SOURCE
#include <string.h>

#include "probe_pages.h"

int32_t dsm_probe_take_signals(dsm_handler handler)
{
	struct dsm_action before;
	sigset_t none;
	int ret;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	ret = dsm_handler_install(SIGBUS, handler, &before);
	return ret == 0 ? dsm_handler_install(SIGSEGV, handler, &before) : ret;
}

int32_t dsm_probe_fill(struct probe *p, uint64_t page)
{
	uint64_t content = filling(++p->fills);

	if (page >= PAGES)
		return -EPROTO;
	memcpy(p->alias + page * p->page_bytes, &content, sizeof(content));
	return 0;
}

int32_t dsm_probe_punch(const struct probe *p, uint64_t page)
{
	return fallocate(p->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			 (off_t)(page * p->page_bytes), (off_t)p->page_bytes) < 0 ?
		       -errno :
		       0;
}
