package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.model.MappingId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * One application process of a {@link FaultEngine}: its descriptors, and the commands to its native
 * thread. Errors are those of the engine.
 *
 * <p><b>Threads.</b> The agent thread only.
 */
public final class TrappedProcess {
    private final FaultEngine engine;
    private final MappingId mapping;
    private final MemorySegment replies; // of the engine
    private final int faultFd;
    private final int commandFd;
    private final int pid;

    TrappedProcess(FaultEngine engine, MappingId mapping, MemorySegment replies) {
        this.engine = engine;
        this.mapping = mapping;
        this.replies = replies;
        faultFd = FaultLibrary.dsm_engine_fault_fd(engine.open(), mapping.index());
        commandFd = FaultLibrary.dsm_engine_command_fd(engine.open(), mapping.index());
        pid = FaultLibrary.dsm_engine_pid(engine.open(), mapping.index());
    }

    public FaultEngine engine() {
        return engine;
    }

    /** Its number in the node. */
    public MappingId mapping() {
        return mapping;
    }

    /** The process id, as reported by the operating system. */
    public int pid() {
        return pid;
    }

    /**
     * The descriptor that is readable while {@link FaultEngine#readFaults} has faults to deliver;
     * with traps it is common to all processes.
     */
    public int faultFd() {
        return faultFd;
    }

    /** The descriptor that is readable while {@link #onCommandReadable} has answers to deliver. */
    public int commandFd() {
        return commandFd;
    }

    /** The number of the process's mappings for the regions, less one; 0 without mprotect. */
    public int mappings() {
        return FaultLibrary.dsm_engine_maps(engine.open(), mapping.index());
    }

    /** For tests: the id of the task that changes access; 0 without mprotect. */
    int protectorPid() {
        return FaultLibrary.dsm_engine_protector(engine.open(), mapping.index());
    }

    /**
     * Withdraws all access of this process to pages through its command thread and keeps their
     * content.
     *
     * @return the sequence number that {@link CommandSink#onDropped} will carry
     * @throws NativeCallException also for pages whose access is being withdrawn (EBUSY), poisoned
     *     pages (EHWPOISON), and when 65536 commands wait (ENOBUFS)
     */
    public long drop(long offset, long bytes) {
        return engine.changed(
                "dsm_engine_drop",
                FaultLibrary.dsm_engine_drop(engine.open(), mapping.index(), offset, bytes));
    }

    /**
     * Sends a ping to the command thread. It also shows that thread that this agent is alive.
     *
     * @return the sequence number that {@link CommandSink#onPong} will carry
     */
    public long ping() {
        return NativeCallException.checked(
                "dsm_engine_ping", FaultLibrary.dsm_engine_ping(engine.open(), mapping.index()));
    }

    /**
     * Ends the process, regardless of the state of its threads.
     *
     * @param status its exit status
     * @param text written to its stderr unchanged, truncated to 1024 bytes of UTF-8
     */
    public void end(int status, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(Math.max(1, bytes.length));
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
            NativeCallException.checked(
                    "dsm_engine_end",
                    FaultLibrary.dsm_engine_end(
                            engine.open(),
                            mapping.index(),
                            status,
                            segment.address(),
                            bytes.length));
        }
    }

    /** Announces the normal end of this agent, so that the process does not end itself. */
    public void bye() {
        NativeCallException.checked(
                "dsm_engine_bye", FaultLibrary.dsm_engine_bye(engine.open(), mapping.index()));
    }

    /**
     * Delivers all answers of the command thread, and sends commands that were waiting for space in
     * the socket.
     *
     * @throws NativeCallException if the process could not execute a command
     */
    public void onCommandReadable(CommandSink sink) {
        int count;
        do {
            count =
                    BrokenMemoryException.checked(
                            "dsm_engine_read_replies",
                            FaultLibrary.dsm_engine_read_replies(engine.open(), mapping.index()));
            for (int i = 0; i < count; i++) {
                deliver((long) i * FaultLibrary.COMMAND_BYTES, sink);
            }
        } while (count > 0 && engine.isOpen());
    }

    private void deliver(long at, CommandSink sink) {
        int kind = replies.get(JAVA_INT, at);
        int status = replies.get(JAVA_INT, at + FaultLibrary.COMMAND_STATUS);
        if (status < 0) {
            throw new NativeCallException("madvise in the application", -status);
        }
        long sequence = replies.get(JAVA_LONG, at + FaultLibrary.COMMAND_SEQUENCE);
        switch (kind) {
            case 5 -> sink.onPong(sequence);
            case 6 ->
                    sink.onDropped(
                            sequence,
                            replies.get(JAVA_LONG, at + FaultLibrary.COMMAND_OFFSET),
                            replies.get(JAVA_LONG, at + FaultLibrary.COMMAND_LENGTH));
            case 7 -> sink.onApplicationGone();
            default -> throw new BrokenMemoryException("the application replied with " + kind);
        }
    }
}
