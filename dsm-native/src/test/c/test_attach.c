/*
 * Foreign connections to the agent, an application in a separate process, and a machine
 * that permits nothing.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "listen.h"
#include "socket.h"
#include "uffd_abi.h"

#define PATIENCE_MILLIS 20000
#define STRANGERS 20
#define OTHERS 12
#define OTHER_USER 65534

static const uint8_t token[DSM_TOKEN_BYTES] = { 1, 2, 3 };

static int connect_to(const char *name)
{
	struct sockaddr_un address;
	int length = dsm_abstract_address(name, &address);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	CHECK_EQUAL(0, connect(fd, (const struct sockaddr *)&address, (socklen_t)length));
	return fd;
}

static void wait_readable(int fd)
{
	struct pollfd target = { .fd = fd, .events = POLLIN };

	CHECK_EQUAL(1, poll(&target, 1, PATIENCE_MILLIS));
}

/* Sends a header with copies of one descriptor. */
static void present(int fd, const struct dsm_attach *attach, size_t bytes, const int *fds,
		    size_t count)
{
	char control[CMSG_SPACE(8 * sizeof(int))] = { 0 };
	struct iovec part = { .iov_base = (void *)(uintptr_t)attach, .iov_len = bytes };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (count > 0) {
		struct cmsghdr *rights = (struct cmsghdr *)(void *)control;

		message.msg_control = control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
	}
	CHECK_EQUAL(bytes, sendmsg(fd, &message, 0));
}

/* The listener refuses `fd`, and the other end reads the reason. */
static void expect_refusal(struct dsm_listener *listener, int fd, int error, const char *text)
{
	struct dsm_verdict at_agent;
	struct dsm_verdict at_peer;
	struct dsm_engine *engine = NULL;

	wait_readable(dsm_listener_fd(listener));
	CHECK_EQUAL(0, dsm_listener_accept(listener, token, &engine, &at_agent));
	CHECK_EQUAL(error, at_agent.status);
	CHECK(strstr(at_agent.text, text) != NULL);
	wait_readable(fd);
	CHECK_EQUAL(sizeof(at_peer), recv(fd, &at_peer, sizeof(at_peer), 0));
	CHECK_EQUAL(0, strcmp(at_peer.text, at_agent.text));
	CHECK_EQUAL(0, recv(fd, &at_peer, sizeof(at_peer), 0));
	close(fd);
}

/* Runs `body` in a process of another user, which needs the privilege to change users. */
static void as_other_user(void (*body)(const char *name), const char *name)
{
	pid_t child;
	int status;

	if (geteuid() != 0)
		return;
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		CHECK_EQUAL(0, setuid(OTHER_USER));
		body(name);
		_exit(0);
	}
	CHECK_EQUAL(child, waitpid(child, &status, 0));
	CHECK_EQUAL(0, status);
}

/* Connects until the listener is full, then exits. */
static void connect_often(const char *name)
{
	for (int i = 0; i < OTHERS; i++)
		connect_to(name);
}

/*
 * Each of several connections of another user gets a verdict and is closed; none takes a
 * place.
 */
static void check_other_users(struct dsm_listener *listener, const char *name)
{
	struct dsm_verdict verdict;
	struct dsm_engine *engine = NULL;
	int ours = connect_to(name);

	CHECK_EQUAL(0, dsm_listener_accept(listener, token, &engine, &verdict));
	as_other_user(connect_often, name);
	for (int i = 0; i < OTHERS && geteuid() == 0; i++) {
		CHECK_EQUAL(0, dsm_listener_accept(listener, token, &engine, &verdict));
		CHECK_EQUAL(EPERM, verdict.status);
		CHECK(strstr(verdict.text, "runs as user 65534, the agent as 0") != NULL);
	}
	CHECK_EQUAL(0, dsm_listener_accept(listener, token, &engine, &verdict));
	CHECK_EQUAL(0, verdict.status);
	CHECK_EQUAL(16, send(ours, "GET / HTTP/1.1\r\n", 16, 0)); /* it still has its place */
	expect_refusal(listener, ours, EPROTO, "not an application of Muninn");
}

/* Neither token nor memory is sent to another user's socket. */
static void attach_to_other(const char *name)
{
	struct dsm_mapping *mapping;
	struct dsm_open_report report;
	struct dsm_verdict verdict;
	uint64_t page = (uint64_t)dsm_page_bytes();

	CHECK_EQUAL(0, dsm_mapping_open(DSM_ENGINE_UFFD_EVENT, 1, 16 * page, page, 0, &mapping,
					&report));
	CHECK_EQUAL(-EPERM,
		    dsm_mapping_attach(mapping, name, token, 0, PATIENCE_MILLIS, &verdict));
}

static void call_other(const char *name)
{
	struct dsm_call *call;

	CHECK_EQUAL(-EPERM, dsm_call_open(name, &call));
}

static void check_other_agents(const char *name)
{
	struct dsm_verdict verdict;
	struct dsm_engine *engine = NULL;
	struct dsm_listener *listener;
	char calls[64];
	int fd;

	snprintf(calls, sizeof(calls), "muninn-test-calls-%d", getpid());
	fd = listen_at(calls);
	as_other_user(call_other, calls);
	close(fd);
	CHECK_EQUAL(0, dsm_listener_open(name, &listener));
	as_other_user(attach_to_other, name);
	CHECK_EQUAL(0, dsm_listener_accept(listener, token, &engine, &verdict));
	dsm_listener_close(listener);
}

static int open_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* Leaves room for a connection and one received descriptor. `before` is the old limit. */
static void allow_two_descriptors(struct rlimit *before)
{
	int lowest = dup(0);
	struct rlimit limit;

	CHECK_EQUAL(0, getrlimit(RLIMIT_NOFILE, before));
	close(lowest);
	limit = *before;
	limit.rlim_cur = (rlim_t)lowest + 2;
	CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &limit));
}

static void check_strangers(struct dsm_listener *listener, const char *name)
{
	struct dsm_attach good = {
		.magic = DSM_ATTACH_MAGIC,
		.abi = DSM_ABI_VERSION,
		.region_bytes = 65536,
		.control_bytes = 65536,
		.page_bytes = (uint32_t)dsm_page_bytes(),
		.processes = 1,
	};
	int unsealed = memfd_create("unsealed", MFD_CLOEXEC);
	int fds[] = { unsealed, unsealed, unsealed, unsealed, unsealed, unsealed, unsealed };
	int before = open_descriptors();
	struct dsm_attach attach;
	struct rlimit limit;
	int fd;

	memcpy(good.token, token, sizeof(token));
	fd = connect_to(name);
	CHECK_EQUAL(16, send(fd, "GET / HTTP/1.1\r\n", 16, 0));
	expect_refusal(listener, fd, EPROTO, "not an application of Muninn");

	attach = good;
	attach.abi++;
	fd = connect_to(name);
	present(fd, &attach, sizeof(attach), fds, 3);
	expect_refusal(listener, fd, EPROTO, "speaks version 5");

	attach = good;
	attach.token[31] = 1;
	fd = connect_to(name);
	present(fd, &attach, sizeof(attach), fds, 3);
	expect_refusal(listener, fd, EACCES, "wrong token");

	fd = connect_to(name);
	present(fd, &good, sizeof(good), fds, 2);
	expect_refusal(listener, fd, EPROTO, "2 descriptors");

	fd = connect_to(name);
	present(fd, &good, sizeof(good), fds, 7); /* more than the buffer holds */
	expect_refusal(listener, fd, EPROTO, "not an application");

	fd = connect_to(name);
	present(fd, &good, sizeof(good), fds, 3);
	allow_two_descriptors(&limit);
	expect_refusal(listener, fd, EMFILE, "too many open files");
	CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &limit));

	fd = connect_to(name);
	present(fd, &good, sizeof(good), fds, 3);
	expect_refusal(listener, fd, EINVAL, "is not of 65536 bytes");

	CHECK_EQUAL(0, ftruncate(unsealed, 65536));
	fd = connect_to(name);
	present(fd, &good, sizeof(good), fds, 3);
	expect_refusal(listener, fd, EINVAL, "not sealed");

	attach = good;
	attach.base = 1;
	fd = connect_to(name);
	present(fd, &attach, sizeof(attach), fds, 3);
	expect_refusal(listener, fd, EINVAL, "do not fit");

	attach = good;
	attach.process = 1;
	fd = connect_to(name);
	present(fd, &attach, sizeof(attach), fds, 1);
	expect_refusal(listener, fd, EPROTO, "process 1 of 1");

	attach.processes = 2;
	attach.flags = DSM_ATTACH_ASK;
	fd = connect_to(name);
	present(fd, &attach, sizeof(attach), fds, 0);
	expect_refusal(listener, fd, EAGAIN, "before process 0");

	CHECK_EQUAL(before, open_descriptors()); /* received descriptors were closed */
	close(unsealed);
}

static void check_silent_strangers(struct dsm_listener *listener, const char *name)
{
	struct dsm_verdict verdict;
	struct dsm_engine *engine = NULL;
	int fds[STRANGERS];
	int closed = 0;

	for (int i = 0; i < STRANGERS; i++) {
		fds[i] = connect_to(name);
		CHECK_EQUAL(0, dsm_listener_accept(listener, token, &engine, &verdict));
		CHECK_EQUAL(0, verdict.status);
	}
	for (int i = 0; i < STRANGERS; i++) {
		char byte;

		closed += recv(fds[i], &byte, 1, MSG_DONTWAIT) == 0;
		close(fds[i]);
	}
	CHECK_EQUAL(STRANGERS - 8, closed); /* the oldest made room */
	for (int i = 0; i < 8; i++) {
		CHECK_EQUAL(0, dsm_listener_accept(listener, token, &engine, &verdict));
		CHECK_EQUAL(EPROTO, verdict.status); /* each refusal is reported */
	}
}

/* The application: reads a word of page 1, writes it back doubled, waits for its end. */
static _Noreturn void run_application(const char *name)
{
	struct dsm_open_report report;
	struct dsm_verdict verdict;
	struct dsm_mapping *mapping;
	volatile uint64_t *word;
	uint64_t page = (uint64_t)dsm_page_bytes();

	CHECK_EQUAL(0, dsm_mapping_open(DSM_ENGINE_UFFD_EVENT, 1, 16 * page, page, 0, &mapping,
					&report));
	CHECK_EQUAL(0, dsm_mapping_attach(mapping, name, token, 5, PATIENCE_MILLIS, &verdict));
	CHECK_EQUAL(-EALREADY,
		    dsm_mapping_attach(mapping, name, token, 5, PATIENCE_MILLIS, &verdict));
	word = (volatile uint64_t *)(uintptr_t)(dsm_mapping_region(mapping) + page);
	*word = *word * 2;
	for (;;)
		pause();
}

static void next_fault(struct dsm_engine *engine, uint64_t offset, uint32_t kind)
{
	const struct dsm_fault *fault = (struct dsm_fault *)(uintptr_t)dsm_engine_faults(engine);

	wait_readable(dsm_engine_fault_fd(engine, 0));
	CHECK_EQUAL(1, dsm_engine_read_faults(engine, 0));
	CHECK_EQUAL(offset, fault->offset);
	CHECK_EQUAL(kind, fault->kind);
}

static uint32_t next_reply(struct dsm_engine *engine)
{
	const struct dsm_command *reply =
		(struct dsm_command *)(uintptr_t)dsm_engine_replies(engine);

	wait_readable(dsm_engine_command_fd(engine, 0));
	CHECK_EQUAL(1, dsm_engine_read_replies(engine, 0));
	return reply->kind;
}

static void serve_application(struct dsm_engine *engine)
{
	uint64_t page = (uint64_t)dsm_page_bytes();
	uint64_t *word = (uint64_t *)(uintptr_t)(dsm_engine_alias(engine) + page);

	*word = 21;
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, page, page, DSM_ACCESS_READ));
	CHECK_EQUAL(0, dsm_engine_wake(engine, page, page));
	next_fault(engine, page, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, page, page, DSM_ACCESS_READ_WRITE));
	CHECK_EQUAL(0, dsm_engine_wake(engine, page, page));
	CHECK_EQUAL(1, dsm_engine_ping(engine, 0));
	CHECK_EQUAL(DSM_REPLY_PONG, next_reply(engine));
	while (*(volatile uint64_t *)word != 42)
		sched_yield();
}

static void check_application(struct dsm_listener *listener, const char *name)
{
	struct dsm_engine *engine = NULL;
	struct dsm_verdict verdict;
	int errors[2];
	char text[64] = { 0 };
	int status;
	pid_t child;

	CHECK_EQUAL(0, pipe2(errors, O_CLOEXEC));
	child = fork();
	if (child == 0) {
		dup2(errors[1], STDERR_FILENO);
		run_application(name);
	}
	close(errors[1]);
	do {
		wait_readable(dsm_listener_fd(listener));
	} while (dsm_listener_accept(listener, token, &engine, &verdict) == 0);
	CHECK_EQUAL(child, dsm_engine_pid(engine, 0));
	CHECK_EQUAL(5, dsm_engine_node(engine));
	next_fault(engine, (uint64_t)dsm_page_bytes(), DSM_FAULT_READ);
	serve_application(engine);

	CHECK_EQUAL(0, dsm_engine_end(engine, 0, 9, "the end\n", 8));
	CHECK_EQUAL(DSM_REPLY_GONE, next_reply(engine));
	CHECK_EQUAL(0, dsm_engine_read_replies(engine, 0));
	CHECK_EQUAL(child, waitpid(child, &status, 0));
	CHECK(WIFEXITED(status));
	CHECK_EQUAL(9, WEXITSTATUS(status));
	CHECK_EQUAL(8, read(errors[0], text, sizeof(text)));
	CHECK_EQUAL(0, strcmp("the end\n", text));
	close(errors[0]);

	/* An application that has ended is not an error. */
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, 0, (uint64_t)dsm_page_bytes(), DSM_ACCESS_READ));
	CHECK(dsm_engine_ping(engine, 0) > 0);
	dsm_engine_close(engine);
}

/* From now on userfaultfd(2) and open(2) of the device fail, as in a container. */
static void forbid_userfaultfd(void)
{
	struct sock_filter instructions[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, DSM_K_NR_USERFAULTFD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = instructions };

	CHECK_EQUAL(0, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	CHECK_EQUAL(0, prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

/* In a child: first as an unprivileged user, then also with the system call forbidden. */
static void check_not_permitted(void)
{
	int status;
	pid_t child;

	if (geteuid() != 0 || access(DSM_K_UFFD_DEVICE, F_OK) != 0) {
		fprintf(stderr, "skipped: rights can be given up by root only\n");
		return;
	}
	child = fork();
	if (child == 0) {
		uint64_t page = (uint64_t)dsm_page_bytes();
		struct dsm_open_report report;
		struct dsm_mapping *mapping;

		CHECK_EQUAL(0, setresuid(65534, 65534, 65534));
		CHECK_EQUAL(0, dsm_mapping_open(DSM_ENGINE_UFFD_EVENT, 1, page, page, 0, &mapping,
					       &report));
		CHECK_EQUAL(EACCES, report.ways[DSM_WAY_DEVICE]);
		CHECK(report.way != DSM_WAY_DEVICE);
		forbid_userfaultfd();
		CHECK_EQUAL(-EPERM, dsm_mapping_open(DSM_ENGINE_UFFD_EVENT, 1, page, page, 0, &mapping,
					       &report));
		CHECK_EQUAL(-1, report.way);
		CHECK_EQUAL(EACCES, report.ways[DSM_WAY_DEVICE]);
		CHECK_EQUAL(EPERM, report.ways[DSM_WAY_SYSTEM_CALL]);
		CHECK_EQUAL(EPERM, report.ways[DSM_WAY_USER_MODE_ONLY]);
		_exit(0);
	}
	CHECK_EQUAL(child, waitpid(child, &status, 0));
	CHECK_EQUAL(0, status);
}

/* In a child whose files may have one page only. */
static void check_file_size(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		uint64_t page = (uint64_t)dsm_page_bytes();
		struct rlimit limit = { .rlim_cur = page, .rlim_max = page };
		struct dsm_open_report report;
		struct dsm_mapping *mapping;

		CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR); /* as a JVM does */
		CHECK_EQUAL(0, setrlimit(RLIMIT_FSIZE, &limit));
		CHECK_EQUAL(-EFBIG, dsm_mapping_open(DSM_ENGINE_MPROTECT_SIGNAL, 1, 2 * page, page, 0,
						     &mapping, &report));
		CHECK_EQUAL(DSM_WAY_PROTECTOR, report.way); /* not denied */
		_exit(0);
	}
	CHECK_EQUAL(child, waitpid(child, &status, 0));
	CHECK_EQUAL(0, status);
}

void test_attach(void)
{
	struct dsm_listener *listener;
	struct dsm_listener *second;
	char name[64];

	snprintf(name, sizeof(name), "muninn-test-attach-%d", getpid());
	CHECK_EQUAL(0, dsm_listener_open(name, &listener));
	CHECK_EQUAL(-EADDRINUSE, dsm_listener_open(name, &second));
	check_strangers(listener, name);
	check_silent_strangers(listener, name);
	check_other_users(listener, name);
	check_application(listener, name);
	dsm_listener_close(listener);
	check_other_agents(name);
	check_not_permitted();
	check_file_size();
}
