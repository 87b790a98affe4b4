package io.muninn.waits;

import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.List;

/**
 * A thread that waits.
 *
 * @param thread numbered over its node, as in {@link io.muninn.model.NodeThreads}
 * @param number of the wait: the same wait has the same number, and no other of its node has
 * @param on what it waits for
 * @param holds the locks that it holds, in the order of taking
 * @param line where it stands in the program; empty if that is unknown
 */
public record ThreadWait(int thread, long number, Awaited on, List<Hold> holds, String line) {
    public ThreadWait {
        holds = List.copyOf(holds);
    }

    /** The same wait with the place where the thread stands. */
    public ThreadWait at(String place) {
        return new ThreadWait(thread, number, on, holds, place);
    }

    void write(WireWriter out) {
        out.u32(thread);
        out.i64(number);
        on.write(out);
        out.list(holds, Hold::write);
        out.text(line);
    }

    static ThreadWait read(WireReader in) {
        return new ThreadWait(in.u32(), in.i64(), Awaited.read(in), in.list(Hold::read), in.text());
    }
}
