/*
 * Mailboxes: short calls of threads to their agent, and short answers, in the control
 * memory. Longer ones are sent on the thread's socket.
 *
 *    head | mailboxes
 *
 * Both the thread and the agent change the two words of a mailbox; the table in
 * docs/decisions/0049-short-calls-go-through-shared-memory.md defines when each may.
 */
#ifndef DSM_MAILBOX_H
#define DSM_MAILBOX_H

#include <stddef.h>
#include <stdint.h>

#include "dsm_fault.h"
#include "spin.h"

#define DSM_MAILBOXES 256
#define DSM_MAIL_BYTES 16368 /* longest frame; only pages that a frame reaches are allocated */

enum dsm_mail_call {
	DSM_CALL_NONE = 0, /* no call: the thread may write one */
	DSM_CALL_POSTED = 1, /* the agent may read it */
};

enum dsm_mail_answer {
	DSM_ANSWER_NONE = 0,
	DSM_ANSWER_AWAITED = 1, /* no answer, and the thread must be woken */
	DSM_ANSWER_HERE = 2,
	DSM_ANSWER_ON_SOCKET = 3, /* too long for the mailbox */
};

struct dsm_mailbox {
	_Alignas(64) uint32_t call; /* enum dsm_mail_call */
	uint32_t next; /* index + 1 of the mailbox posted before it */
	uint32_t after; /* frames that the thread had sent on its socket when it posted */
	uint32_t call_bytes;
	uint8_t call_frame[DSM_MAIL_BYTES];
	_Alignas(64) uint32_t answer; /* enum dsm_mail_answer */
	uint32_t answer_bytes;
	uint8_t answer_frame[DSM_MAIL_BYTES];
};

struct dsm_mail {
	_Alignas(64) uint32_t posted; /* index + 1: threads push, the agent takes all at once */
	uint32_t taken; /* number of mailboxes allocated to threads, from the first on (by Java) */
	struct dsm_mailbox boxes[DSM_MAILBOXES];
};

_Static_assert(offsetof(struct dsm_mail, boxes) == 64, "dsm_mail");
_Static_assert(offsetof(struct dsm_mailbox, answer) == 16 << 10, "dsm_mailbox.answer");
_Static_assert(sizeof(struct dsm_mailbox) == 32 << 10, "dsm_mailbox");

/* A thread's end of its mailbox. */
struct dsm_mail_end {
	struct dsm_mailbox *box; /* NULL: the thread has none */
	uint32_t *posted;
	uint32_t number; /* index + 1 */
	int event_fd; /* notifies the agent */
};

/*
 * Posts a frame. `after`: number of frames that the thread has sent on its socket. Returns
 * 0 without effect if the frame is too long or the last one is unread.
 */
int dsm_mail_post(const struct dsm_mail_end *end, const void *frame, uint32_t bytes,
		  uint32_t after);

/*
 * Waits for an answer. `socket`: its EOF shows that the agent is gone. timeout_millis: 0
 * polls, -1 waits for ever.
 *
 * Returns DSM_ANSWER_HERE or DSM_ANSWER_ON_SOCKET; 0 on timeout; -EPIPE.
 */
int dsm_mail_await(const struct dsm_mail_end *end, struct dsm_spin *spin, int socket,
		   int32_t timeout_millis);

/* Copies an answer in the mailbox. Returns its length, or -EMSGSIZE; then the answer stays. */
int32_t dsm_mail_read(const struct dsm_mail_end *end, void *frame, uint32_t capacity);

/* Frees the mailbox after its answer has been received. */
void dsm_mail_done(const struct dsm_mail_end *end);

#endif
