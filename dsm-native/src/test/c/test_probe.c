/*
 * Probing engines: a usable engine passes every step, an unusable one reports the reason,
 * and nothing is left behind.
 */
#include <dirent.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "dsm_fault.h"

static int open_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	CHECK(folder != NULL);
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

static int is_denial(int32_t result)
{
	return result == -EPERM || result == -EACCES || result == -ENOENT || result == -ENOSYS;
}

static void check_denied(const struct dsm_probe_report *report)
{
	CHECK_EQUAL(0, report->steps[DSM_PROBE_MEMORY].result);
	for (int i = DSM_PROBE_FEATURES; i < DSM_PROBE_STEPS; i++)
		CHECK_EQUAL(DSM_PROBE_NOT_RUN, report->steps[i].result);
}

/* Kernels that lack a feature are tested in Java; a kernel with all features must pass. */
static void check_passed(int32_t kind, int32_t way, const struct dsm_probe_report *report)
{
	int waits = kind == DSM_ENGINE_UFFD_EVENT && way != DSM_WAY_USER_MODE_ONLY;

	for (int i = 0; i < DSM_PROBE_STEPS; i++) {
		CHECK_EQUAL(i == DSM_PROBE_SYSTEM_CALL && !waits ? -EFAULT : 0,
			    report->steps[i].result);
		CHECK(report->steps[i].nanos > 0);
	}
	CHECK_EQUAL(0, report->missing_features);
}

void test_probe(void)
{
	struct dsm_probe_report report;
	int before = open_descriptors();

	for (int32_t kind = 0; kind < DSM_ENGINE_KINDS; kind++) {
		int by_mprotect = kind == DSM_ENGINE_MPROTECT_SIGNAL;

		for (int32_t way = 0; way <= DSM_WAY_PROTECTOR; way++) {
			if (by_mprotect != (way == DSM_WAY_PROTECTOR)) {
				CHECK_EQUAL(-EINVAL, dsm_probe(kind, way, &report));
				continue;
			}
			CHECK_EQUAL(0, dsm_probe(kind, way, &report));
			if (is_denial(report.steps[DSM_PROBE_OPEN].result))
				check_denied(&report);
			else
				check_passed(kind, way, &report);
		}
	}
	for (int32_t call = DSM_CALL_MEMFD_CREATE; call <= DSM_CALL_SOCKETPAIR; call++)
		CHECK_EQUAL(0, dsm_system_call(call));
	CHECK_EQUAL(-EINVAL, dsm_system_call(DSM_CALL_SOCKETPAIR + 1));
	CHECK_EQUAL(-EINVAL, dsm_probe(DSM_ENGINE_KINDS, 0, &report));
	CHECK_EQUAL(-EINVAL, dsm_probe(0, -1, &report));
	CHECK_EQUAL(before, open_descriptors());
	CHECK_EQUAL(-1, waitpid(-1, NULL, WNOHANG));
	CHECK_EQUAL(ECHILD, errno);
}
