package io.muninn.nativefault;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.file.Path;

/**
 * The functions of {@code dsm_fault.h}: one native method per function, no logic. JNA's direct
 * mapping with primitives only, and every address a {@code long}, so the fault path marshals
 * nothing. Results are counts, lengths or {@code -errno}.
 */
final class FaultLibrary {
    /** {@code DSM_ABI_VERSION}. */
    static final int ABI_VERSION = 4;

    static final int PROCESSES_MAX = 16;

    static final int FAULT_BATCH_MAX = 64;
    static final int FAULT_BYTES = 24;
    static final int FAULT_KIND = 8;
    static final int FAULT_THREAD = 12;
    static final int FAULT_PROCESS = 16;

    static final int COMMAND_BATCH_MAX = 64;
    static final int COMMAND_BYTES = 32;
    static final int COMMAND_STATUS = 4;
    static final int COMMAND_SEQUENCE = 8;
    static final int COMMAND_OFFSET = 16;
    static final int COMMAND_LENGTH = 24;
    static final int TEXT_BYTES_MAX = 1024;

    static final int REPORT_BYTES = 24;
    static final int REPORT_WAY = 12;
    static final int REPORT_MISSING = 16;

    static final int VERDICT_BYTES = 256;
    static final int VERDICT_STATUS = 4;
    static final int VERDICT_TEXT = 8;

    static final int NEWS_BATCH_MAX = 64;
    static final int NEWS_BYTES = 16;
    static final int NEWS_BITS = 8;

    /** {@code enum dsm_news}. */
    static final int NEWS_DIRTIED = 1;

    static final int NEWS_ENTERED = 2;
    static final int NEWS_UNSAFE = 4;

    static final int PROBE_STEPS = 9;
    static final int PROBE_STEP_BYTES = 16;
    static final int PROBE_STEP_NANOS = 8;
    static final int PROBE_MISSING = PROBE_STEPS * PROBE_STEP_BYTES;
    static final int PROBE_BYTES = PROBE_MISSING + Long.BYTES;

    static final int BATCH_PAGE_BYTES = 32;
    static final int BATCH_PAGE_TWIN = 8;
    static final int BATCH_PAGE_DIFF = 16;
    static final int BATCH_PAGE_LENGTH = 24;
    static final int BATCH_PAGE_RESULT = 28;

    static final int MAILBOXES = 256;
    static final int MAILBOXES_TAKEN = 4;
    static final int MAILBOXES_AT = 64;
    static final int MAILBOX_BYTES = 32 << 10;
    static final int MAIL_BYTES = MAILBOXES_AT + MAILBOXES * MAILBOX_BYTES;
    static final int MAILBOX_NEXT = 4;
    static final int MAILBOX_AFTER = 8;
    static final int MAILBOX_CALL_LENGTH = 12;
    static final int MAILBOX_CALL = 16;
    static final int MAILBOX_ANSWER_STATE = 16 << 10;
    static final int MAILBOX_ANSWER_LENGTH = MAILBOX_ANSWER_STATE + 4;
    static final int MAILBOX_ANSWER = MAILBOX_ANSWER_STATE + 8;
    static final int MAILBOX_FRAME_MAX = 16368;

    static final int TOKEN_BYTES = 32;
    static final int NAME_BYTES_MAX = 100;

    /** The expected values, in the order of {@code enum dsm_abi_value}. */
    private static final int[] ABI = {
        ABI_VERSION,
        FAULT_BYTES,
        FAULT_KIND,
        COMMAND_BYTES,
        COMMAND_STATUS,
        COMMAND_SEQUENCE,
        COMMAND_OFFSET,
        COMMAND_LENGTH,
        REPORT_BYTES,
        REPORT_WAY,
        REPORT_MISSING,
        VERDICT_BYTES,
        VERDICT_TEXT,
        FAULT_BATCH_MAX,
        COMMAND_BATCH_MAX,
        TEXT_BYTES_MAX,
        NEWS_BATCH_MAX,
        PROBE_BYTES,
        PROBE_STEPS,
        BATCH_PAGE_BYTES,
        BATCH_PAGE_TWIN,
        BATCH_PAGE_DIFF,
        BATCH_PAGE_LENGTH,
        BATCH_PAGE_RESULT,
        MAIL_BYTES,
        MAILBOXES_AT,
        MAILBOX_BYTES,
        MAILBOX_AFTER,
        MAILBOX_CALL,
        MAILBOX_ANSWER_STATE,
        MAILBOX_ANSWER,
        MAILBOX_FRAME_MAX,
        FAULT_THREAD,
        FAULT_PROCESS,
        PROCESSES_MAX,
        NEWS_BYTES,
        NEWS_BITS,
    };

    static {
        Path library = NativeDirectory.faultLibrary();
        Native.register(FaultLibrary.class, NativeLibrary.getInstance(library.toString()));
        checkLayout(library);
    }

    private FaultLibrary() {}

    private static void checkLayout(Path library) {
        for (int i = 0; i <= ABI.length; i++) {
            int expected = i < ABI.length ? ABI[i] : -Errno.EINVAL;
            if (dsm_abi_value(i) != expected) {
                throw new IllegalStateException(
                        library
                                + " is of another build: layout value "
                                + i
                                + " is "
                                + dsm_abi_value(i)
                                + ", not "
                                + expected
                                + "; build dsm-native again");
            }
        }
    }

    static native int dsm_abi_value(int index);

    static native int dsm_page_bytes();

    static native int dsm_thread_id();

    static native int dsm_system_call(int call);

    static native int dsm_mapping_open(
            int kind,
            int processes,
            long regionBytes,
            long controlBytes,
            long watchOffset,
            long mapping,
            long report);

    static native int dsm_mapping_join(
            int kind,
            int processes,
            long regionBytes,
            long controlBytes,
            long watchOffset,
            int process,
            long name,
            long token,
            int lossMillis,
            long mapping,
            long report,
            long verdict);

    static native long dsm_mapping_region(long mapping);

    static native long dsm_mapping_control(long mapping);

    static native int dsm_mapping_event_fd(long mapping);

    static native int dsm_mapping_shared(long mapping, long bytes, long address);

    static native int dsm_shared_open(long bytes, long address);

    static native void dsm_listener_share(long listener, int fd);

    static native int dsm_mapping_attach(
            long mapping, long name, long token, int node, int lossMillis, long verdict);

    static native void dsm_mapping_allow_silence(long mapping, int lossMillis);

    static native void dsm_mapping_watch(long mapping);

    static native int dsm_pool_create(
            long run,
            long pages,
            int nodes,
            int listsAtTransition,
            int noticesMax,
            int announces,
            long pool);

    static native int dsm_pool_open(
            int fd, long run, long pages, int node, long pool, long verdict);

    static native void dsm_pool_close(long pool);

    static native int dsm_pool_fd(long pool);

    static native long dsm_pool_words(long pool);

    static native long dsm_pool_words_bytes(long pool);

    static native int dsm_pool_nodes(long pool);

    static native long dsm_pool_memory(long pool);

    static native long dsm_pool_node_bytes(long pool);

    static native int dsm_pool_set_home(long pool, long first, long count, int node);

    static native int dsm_pool_enter(long pool, int node, long page);

    static native int dsm_pool_publish(long pool, int node, long page);

    static native int dsm_probe(int kind, int way, long report);

    static native int dsm_listener_open(long name, long listener);

    static native int dsm_listener_fd(long listener);

    static native int dsm_listener_accept(long listener, long token, long engine, long verdict);

    static native void dsm_listener_use_pool(long listener, long pool);

    static native void dsm_listener_close(long listener);

    static native int dsm_peer_check(int fd, long user);

    static native int dsm_engine_fault_fd(long engine, int process);

    static native long dsm_engine_watch_edges(long engine);

    static native int dsm_engine_command_fd(long engine, int process);

    static native int dsm_engine_pid(long engine, int process);

    static native int dsm_engine_kind(long engine);

    static native int dsm_engine_way(long engine);

    static native int dsm_engine_node(long engine);

    static native long dsm_engine_alias(long engine);

    static native long dsm_engine_region_bytes(long engine);

    static native long dsm_engine_control(long engine);

    static native long dsm_engine_control_bytes(long engine);

    static native long dsm_engine_faults(long engine);

    static native long dsm_engine_replies(long engine);

    static native int dsm_engine_read_faults(long engine, int process);

    static native long dsm_engine_allocated_bytes(long engine);

    static native void dsm_engine_close(long engine);

    static native int dsm_engine_freeze(long engine, long offset, long bytes);

    static native int dsm_engine_seize(long engine, long offset, long bytes);

    static native int dsm_engine_offer(long engine, long offset, long bytes);

    static native int dsm_engine_offer_absent(long engine, long offset, long bytes);

    static native int dsm_engine_trap_state(long engine, long offset);

    static native int dsm_engine_read_news(long engine);

    static native long dsm_engine_news(long engine);

    static native long dsm_engine_gate(long engine);

    static native int dsm_engine_maps(long engine, int process);

    static native int dsm_engine_maps_max(long engine);

    static native int dsm_engine_protector(long engine, int process);

    static native int dsm_engine_allow(
            long engine, int process, long offset, long bytes, int access);

    static native int dsm_engine_map(long engine, int process, long offset, long bytes);

    static native int dsm_engine_limit(long engine, long offset, long bytes);

    static native int dsm_engine_withdraw(long engine, long offset, long bytes);

    static native int dsm_engine_wake(long engine, long offset, long bytes);

    static native int dsm_engine_wake_process(long engine, int process, long offset, long bytes);

    static native int dsm_engine_is_mapped(long engine, int process, long offset, long bytes);

    static native int dsm_engine_discard(long engine, long offset, long bytes);

    static native int dsm_engine_poison(long engine, long offset, long bytes);

    static native int dsm_engine_touch(long engine, long offset, long bytes);

    static native long dsm_engine_drop(long engine, int process, long offset, long bytes);

    static native long dsm_engine_ping(long engine, int process);

    static native int dsm_engine_end(
            long engine, int process, int status, long text, int textBytes);

    static native int dsm_engine_bye(long engine, int process);

    static native int dsm_engine_read_replies(long engine, int process);

    static native long dsm_engine_twin_make(long engine, long offset, int bytes);

    static native int dsm_engine_twin_free(long engine, long twin, int bytes);

    static native long dsm_engine_twin_adopt(long engine, long offset, int bytes);

    static native long dsm_engine_twin_remake(long engine, long offset, int bytes);

    static native long dsm_engine_twin_bytes(long engine);

    static native long dsm_engine_slab_bytes(long engine);

    static native int dsm_kernel_runs(int kernel);

    static native int dsm_kernel_best();

    static native int dsm_engine_use_kernel(long engine, int kernel);

    static native int dsm_diff_bytes_max(int bytes, int granule);

    static native long dsm_engine_diff(
            long engine, long offset, long twin, int bytes, int granule, long out, int capacity);

    static native int dsm_engine_apply(
            long engine, long diff, int length, long offset, long twin, int bytes, int granule);

    static native int dsm_engine_is_zero(long engine, long offset, long bytes);

    static native int dsm_engine_enter(long engine, int process, long offset, long bytes);

    static native int dsm_engine_write_back(
            long engine, long diff, int length, long offset, int bytes, int granule);

    static native int dsm_batch_freeze(long engine, long pages, int count, int bytes);

    static native int dsm_batch_offer(long engine, long pages, int count, int bytes);

    static native long dsm_batch_diff(
            long engine,
            long pages,
            int count,
            int bytes,
            int granule,
            int keep,
            long out,
            int capacity);

    static native int dsm_install_images(
            long engine, int process, long images, int count, int bytes, int access);

    static native int dsm_batch_apply(long engine, long pages, int count, int bytes, int granule);

    static native void dsm_mail_wake(long answer);

    static native int dsm_call_open(long name, long call);

    static native int dsm_call_use_mailbox(long call, long mail, int index, int eventFd);

    static native int dsm_call_send(long call, long frame, int bytes);

    static native void dsm_call_spin(long call, long nanos);

    static native int dsm_call_receive(long call, long frame, int capacity, int timeoutMillis);

    static native int dsm_call_exchange(long call, long frame, int bytes, int capacity);

    static native void dsm_call_close(long call);

    static native int dsm_quit_await();

    static native int dsm_quit_ignore_terminal();
}
