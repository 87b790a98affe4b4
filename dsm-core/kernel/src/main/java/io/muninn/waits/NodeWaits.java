package io.muninn.waits;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.List;
import java.util.Optional;

/**
 * The threads of one node at one moment.
 *
 * @param node whose threads they are
 * @param shape processes and threads of the node
 * @param running threads of the program and of shipped objects that do not wait
 * @param sent messages that the node has sent to other nodes
 * @param received messages that it has received from them
 * @param isSettled no release, acquire or withdrawal of the node is in progress
 * @param waits of the threads that wait
 * @param strangers threads of the application that the node does not know; they may interrupt
 *     others. Known only if lines were asked for
 */
public record NodeWaits(
        NodeId node,
        NodeThreads shape,
        int running,
        long sent,
        long received,
        boolean isSettled,
        List<ThreadWait> waits,
        List<String> strangers) {
    private static final int THREADS_MAX = 1 << 16;

    public NodeWaits {
        waits = List.copyOf(waits);
        strangers = List.copyOf(strangers);
    }

    /** The same node with other descriptions of its waits. */
    public NodeWaits with(List<ThreadWait> described, List<String> unknown) {
        return new NodeWaits(node, shape, running, sent, received, isSettled, described, unknown);
    }

    /** The wait of a thread; empty if it runs. */
    Optional<ThreadWait> waitOf(int thread) {
        return waits.stream().filter(each -> each.thread() == thread).findFirst();
    }

    /** As in "thread 1 of node 0", as programs count. */
    String name(int thread) {
        NodeId seen = shape.seen(node, shape.processOf(thread));
        return thread < shape.count()
                ? "thread " + thread % shape.perProcess() + " of node " + seen
                : "a thread of the objects of node " + seen;
    }

    public void write(WireWriter out) {
        out.node(node);
        out.u8(shape.processes());
        out.u32(shape.perProcess());
        out.u32(running);
        out.i64(sent);
        out.i64(received);
        out.flag(isSettled);
        out.list(waits, ThreadWait::write);
        out.list(strangers, (name, to) -> to.text(name));
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @throws MalformedMessageException if a field is out of range
     */
    public static NodeWaits read(WireReader in) {
        try {
            return new NodeWaits(
                    in.node(),
                    shape(in.u8(), in.u32()),
                    in.u32(),
                    in.i64(),
                    in.i64(),
                    in.flag(),
                    in.list(ThreadWait::read),
                    in.list(WireReader::text));
        } catch (IllegalArgumentException wrong) {
            throw new MalformedMessageException(String.valueOf(wrong.getMessage()));
        }
    }

    private static NodeThreads shape(int processes, int perProcess) {
        if (perProcess < 1 || perProcess > THREADS_MAX) {
            throw new MalformedMessageException(perProcess + " threads");
        }
        return new NodeThreads(processes, perProcess);
    }
}
