/*
 * Runs a command that may not have a userfaultfd, as in a container with the usual profile:
 * the system call fails with EPERM, and so does the request to the device.
 *   deny_userfaultfd [--and-protectors] COMMAND [ARGUMENTS]
 * It is compiled with -Idsm-native/src/main/c/shared.
 * --and-protectors: also forbids a task that shares its memory but is not one of its
 * threads.
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

int main(int count, char **arguments)
{
	struct sock_filter instructions[] = {
		LOAD(nr),
		SKIP_UNLESS(DSM_K_NR_USERFAULTFD, 1),
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
		instructions[7] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 0, 0, 0);
		arguments++;
		count--;
	}
	if (count < 2) {
		fprintf(stderr, "usage: deny_userfaultfd [--and-protectors] COMMAND [ARGUMENTS]\n");
		return 2;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		perror("deny_userfaultfd");
		return 2;
	}
	execvp(arguments[1], arguments + 1);
	perror(arguments[1]);
	return 2;
}
