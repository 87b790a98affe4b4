/*
 * Runs a command that may not have a userfaultfd, as in a container with the usual profile:
 * the system call fails with EPERM, and so does the request to the device.
 *   deny_userfaultfd [--and-protectors | --and CALL] COMMAND [ARGUMENTS]
 * It is compiled with -Idsm-native/src/main/c/shared.
 * --and-protectors: also forbids a task that shares its memory but is not one of its
 * threads. --and CALL: also forbids this system call, one of those in `calls`.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uffd_abi.h"

#define LOAD(field)                                                                         \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, instructions)                                                    \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, instructions)
#define GIVE(result) BPF_STMT(BPF_RET | BPF_K, (uint32_t)(result))

static const struct {
	const char *name;
	uint32_t number;
} calls[] = {
	{ "memfd_create", SYS_memfd_create }, { "eventfd2", SYS_eventfd2 },
	{ "timerfd_create", SYS_timerfd_create }, { "epoll_create1", SYS_epoll_create1 },
};

static _Noreturn void end_with_usage(void)
{
	fprintf(stderr, "usage: deny_userfaultfd [--and-protectors | --and CALL] COMMAND "
			"[ARGUMENTS]\n");
	exit(2);
}

static uint32_t number_of(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strcmp(name, calls[i].name) == 0)
			return calls[i].number;
	}
	end_with_usage();
}

int main(int count, char **arguments)
{
	struct sock_filter instructions[] = {
		LOAD(nr),
		SKIP_UNLESS(DSM_K_NR_USERFAULTFD, 1),
		GIVE(SECCOMP_RET_ERRNO | EPERM),
		SKIP_UNLESS(DSM_K_NR_USERFAULTFD, 1), /* with --and CALL: its number */
		GIVE(SECCOMP_RET_ERRNO | EPERM),
		SKIP_UNLESS(SYS_ioctl, 3),
		LOAD(args[1]),
		SKIP_UNLESS(DSM_K_USERFAULTFD_IOC_NEW, 1),
		GIVE(SECCOMP_RET_ERRNO | EPERM),
		GIVE(SECCOMP_RET_ALLOW),
		/* With --and-protectors the instruction above jumps to here. */
		LOAD(nr),
		SKIP_UNLESS(SYS_clone, 4),
		LOAD(args[0]),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, CLONE_VM | CLONE_VFORK | CLONE_THREAD),
		SKIP_UNLESS(CLONE_VM, 1),
		GIVE(SECCOMP_RET_ERRNO | EPERM),
		GIVE(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(instructions) / sizeof(instructions[0]),
		.filter = instructions,
	};

	if (count > 1 && strcmp(arguments[1], "--and-protectors") == 0) {
		instructions[9] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 0, 0, 0);
		arguments++;
		count--;
	} else if (count > 2 && strcmp(arguments[1], "--and") == 0) {
		instructions[3].k = number_of(arguments[2]);
		arguments += 2;
		count -= 2;
	}
	if (count < 2)
		end_with_usage();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		perror("deny_userfaultfd");
		return 2;
	}
	execvp(arguments[1], arguments + 1);
	perror(arguments[1]);
	return 2;
}
