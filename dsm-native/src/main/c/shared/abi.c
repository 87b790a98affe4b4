/* The layout as compiled into this library, for Java's check at load. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "mailbox.h"

/* Returns the value with this index of enum dsm_abi_value, or -EINVAL past the last. */
int32_t dsm_abi_value(int32_t index)
{
	static const int32_t values[DSM_ABI_VALUES] = {
		[DSM_ABI_THE_VERSION] = DSM_ABI_VERSION,
		[DSM_ABI_FAULT_BYTES] = sizeof(struct dsm_fault),
		[DSM_ABI_FAULT_KIND] = offsetof(struct dsm_fault, kind),
		[DSM_ABI_COMMAND_BYTES] = sizeof(struct dsm_command),
		[DSM_ABI_COMMAND_STATUS] = offsetof(struct dsm_command, status),
		[DSM_ABI_COMMAND_SEQUENCE] = offsetof(struct dsm_command, sequence),
		[DSM_ABI_COMMAND_OFFSET] = offsetof(struct dsm_command, offset),
		[DSM_ABI_COMMAND_LENGTH] = offsetof(struct dsm_command, bytes),
		[DSM_ABI_REPORT_BYTES] = sizeof(struct dsm_open_report),
		[DSM_ABI_REPORT_WAY] = offsetof(struct dsm_open_report, way),
		[DSM_ABI_REPORT_MISSING] = offsetof(struct dsm_open_report, missing_features),
		[DSM_ABI_VERDICT_BYTES] = sizeof(struct dsm_verdict),
		[DSM_ABI_VERDICT_TEXT] = offsetof(struct dsm_verdict, text),
		[DSM_ABI_FAULT_BATCH] = DSM_FAULT_BATCH_MAX,
		[DSM_ABI_COMMAND_BATCH] = DSM_COMMAND_BATCH_MAX,
		[DSM_ABI_TEXT_BYTES] = DSM_TEXT_MAX,
		[DSM_ABI_NEWS_BATCH] = DSM_NEWS_BATCH_MAX,
		[DSM_ABI_PROBE_BYTES] = sizeof(struct dsm_probe_report),
		[DSM_ABI_PROBE_STEPS] = DSM_PROBE_STEPS,
		[DSM_ABI_BATCH_PAGE_BYTES] = sizeof(struct dsm_batch_page),
		[DSM_ABI_BATCH_PAGE_TWIN] = offsetof(struct dsm_batch_page, twin),
		[DSM_ABI_BATCH_PAGE_DIFF] = offsetof(struct dsm_batch_page, diff),
		[DSM_ABI_BATCH_PAGE_LENGTH] = offsetof(struct dsm_batch_page, bytes),
		[DSM_ABI_BATCH_PAGE_RESULT] = offsetof(struct dsm_batch_page, result),
		[DSM_ABI_MAIL_BYTES] = sizeof(struct dsm_mail),
		[DSM_ABI_MAIL_BOXES] = offsetof(struct dsm_mail, boxes),
		[DSM_ABI_MAILBOX_BYTES] = sizeof(struct dsm_mailbox),
		[DSM_ABI_MAILBOX_AFTER] = offsetof(struct dsm_mailbox, after),
		[DSM_ABI_MAILBOX_CALL] = offsetof(struct dsm_mailbox, call_frame),
		[DSM_ABI_MAILBOX_ANSWER] = offsetof(struct dsm_mailbox, answer),
		[DSM_ABI_MAILBOX_ANSWER_FRAME] = offsetof(struct dsm_mailbox, answer_frame),
		[DSM_ABI_MAILBOX_FRAME_MAX] = DSM_MAIL_BYTES,
		[DSM_ABI_FAULT_THREAD] = offsetof(struct dsm_fault, thread),
		[DSM_ABI_FAULT_PROCESS] = offsetof(struct dsm_fault, process),
		[DSM_ABI_PROCESSES] = DSM_PROCESSES_MAX,
		[DSM_ABI_NEWS_BYTES] = sizeof(struct dsm_trap_news),
		[DSM_ABI_NEWS_BITS] = offsetof(struct dsm_trap_news, news),
	};

	if (index < 0 || index >= DSM_ABI_VALUES)
		return -EINVAL;
	return values[index];
}

/* The calling thread's id, which is the system's and the one that faults report. */
int32_t dsm_thread_id(void)
{
	return (int32_t)gettid();
}

/* Size of a machine page in bytes. */
int32_t dsm_page_bytes(void)
{
	return (int32_t)sysconf(_SC_PAGESIZE);
}
