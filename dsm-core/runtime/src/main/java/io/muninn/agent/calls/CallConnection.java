package io.muninn.agent.calls;

import io.muninn.ipc.Answer;
import io.muninn.nativefault.Mailboxes;
import io.muninn.spi.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;

/** Sends the agent's answers to one application thread. */
public final class CallConnection {
    private final Channel channel;
    private final int thread;
    private Optional<Line> line = Optional.empty();
    private int framesHandled = 1; // the introduction

    /** A mailbox, and a growing buffer for the next answer. */
    private record Line(Mailboxes mailboxes, int mailbox, ByteBuf answer) {}

    CallConnection(Channel channel, int thread) {
        this.channel = channel;
        this.thread = thread;
    }

    /** Sends answers through this mailbox from now on; it announces those that do not fit. */
    void use(Mailboxes mailboxes, int mailbox) {
        line =
                Optional.of(
                        new Line(mailboxes, mailbox, Unpooled.buffer(Mailboxes.FRAME_BYTES_MAX)));
    }

    OptionalInt mailbox() {
        return line.isPresent() ? OptionalInt.of(line.get().mailbox()) : OptionalInt.empty();
    }

    /** Returns how many frames of the thread's socket were handled; wraps around. */
    int framesHandled() {
        return framesHandled;
    }

    void frameHandled() {
        framesHandled++;
    }

    /**
     * The application thread, numbered over the node from 0; -1 less its process for a connection
     * that only reports a failure.
     */
    public int thread() {
        return thread;
    }

    public void done(long value) {
        send(frame(Answer.DONE, Long.BYTES).writeLongLE(value));
    }

    public void refused(String reason) {
        send(text(frame(Answer.REFUSED, 4 + reason.length()), reason));
    }

    /** Answers a wait. */
    void answer(Outcome outcome) {
        switch (outcome) {
            case Outcome.Done() -> done(0);
            case Outcome.Delivered(int from, var body) ->
                    send(
                            frame(Answer.DELIVERED, 4 + body.length())
                                    .writeIntLE(from)
                                    .writeBytes(body.array()));
            case Outcome.TimedOut(String missing) ->
                    send(text(frame(Answer.TIMED_OUT, 4 + missing.length()), missing));
            case Outcome.Cancelled() -> send(frame(Answer.CANCELLED, 0));
            case Outcome.Broken(String reason) ->
                    send(text(frame(Answer.BROKEN, 4 + reason.length()), reason));
            case Outcome.Refused(String reason) -> refused(reason);
            case Outcome.Completed(long number, Outcome.Delivered(int from, var body)) ->
                    send(
                            frame(Answer.COMPLETED, 13 + body.length())
                                    .writeLongLE(number)
                                    .writeByte(Answer.DELIVERED)
                                    .writeIntLE(from)
                                    .writeBytes(body.array()));
            case Outcome.Completed(long number, Outcome.Refused(String reason)) ->
                    send(
                            text(
                                    frame(Answer.COMPLETED, 13 + reason.length())
                                            .writeLongLE(number)
                                            .writeByte(Answer.REFUSED),
                                    reason));
            case Outcome.Completed wrong ->
                    throw new IllegalArgumentException("a posted call ended by " + wrong);
            case Outcome.Lost(int node, String reason) ->
                    send(text(frame(Answer.LOST, 8 + reason.length()).writeIntLE(node), reason));
        }
    }

    /**
     * The answer to JOIN, from which the application maps its memory.
     *
     * @param served the nodes of the agent: bit i of node i
     * @param namesStores whether the application tells which lines store to pages
     */
    public record Joined(
            int node,
            int nodes,
            int processes,
            int threads,
            long mappingBytes,
            long joiningLossMillis,
            long lossMillis,
            long spinNanos,
            boolean mailboxes,
            long served,
            boolean checksRaces,
            boolean namesStores,
            String engine,
            String faultSocket,
            String layout) {}

    public void joined(Joined joined) {
        ByteBuf out =
                frame(Answer.JOINED, 110 + joined.layout().length())
                        .writeIntLE(joined.node())
                        .writeIntLE(joined.nodes())
                        .writeIntLE(joined.processes())
                        .writeIntLE(joined.threads())
                        .writeLongLE(joined.mappingBytes())
                        .writeLongLE(joined.joiningLossMillis())
                        .writeLongLE(joined.lossMillis())
                        .writeLongLE(joined.spinNanos())
                        .writeByte(joined.mailboxes() ? 1 : 0)
                        .writeLongLE(joined.served())
                        .writeByte(joined.checksRaces() ? 1 : 0)
                        .writeByte(joined.namesStores() ? 1 : 0);
        text(text(out, joined.engine()), joined.faultSocket());
        send(text(out, joined.layout()));
    }

    /** Begins a frame for about so many bytes. */
    private ByteBuf frame(int answer, int bytes) {
        ByteBuf begun =
                line.isPresent() && bytes < Mailboxes.FRAME_BYTES_MAX
                        ? line.get().answer().clear()
                        : ofSocket(1 + bytes);
        return begun.writeByte(answer);
    }

    private ByteBuf ofSocket(int bytes) {
        return channel.alloc()
                .buffer(Integer.BYTES + bytes)
                .writeIntLE(0); // the length, known at the end
    }

    private static ByteBuf text(ByteBuf out, String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return out.writeIntLE(utf8.length).writeBytes(utf8);
    }

    private void send(ByteBuf frame) {
        if (line.isEmpty()) {
            sendOnSocket(frame);
        } else {
            send(frame, line.get());
        }
    }

    private void send(ByteBuf frame, Line mine) {
        int bytes = frame.readableBytes();
        if (frame == mine.answer() && bytes <= Mailboxes.FRAME_BYTES_MAX) {
            mine.mailboxes().answer(mine.mailbox(), frame.array(), bytes);
            return;
        }
        sendOnSocket(frame == mine.answer() ? ofSocket(bytes).writeBytes(frame) : frame);
        mine.mailboxes().answerOnSocket(mine.mailbox());
    }

    private void sendOnSocket(ByteBuf frame) {
        frame.setIntLE(0, frame.readableBytes() - Integer.BYTES);
        channel.writeAndFlush(frame, channel.voidPromise());
    }
}
