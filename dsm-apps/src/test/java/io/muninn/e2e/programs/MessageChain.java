package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Messages;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.lang.foreign.MemorySegment;

/** Shared data goes round the nodes; an empty message says each time that it may be looked at. */
public final class MessageChain implements DsmProgram {
    private static final int LAPS = 40;
    private static final int LENGTH = 1500;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray data = LongArray.of(LENGTH);

    /** Each thread number has a round of its own, in words of its own on the same pages. */
    @Override
    public void run(DsmNode node) {
        Messages messages = node.messages();
        int nodes = node.nodes();
        int tag = node.thread();
        for (int lap = 0; lap < LAPS; lap++) {
            long turn = (long) lap * nodes + node.id();
            if (turn > 0) {
                messages.receive((node.id() + nodes - 1) % nodes, tag);
            }
            for (int i = tag; i < LENGTH; i += node.threads()) {
                if (data.get(i) != turn) {
                    throw new IllegalStateException(
                            "turn " + turn + ": word " + i + " is " + data.get(i));
                }
                data.set(i, turn + 1);
            }
            if (turn < (long) LAPS * nodes - 1) {
                messages.send((node.id() + 1) % nodes, tag, MemorySegment.ofArray(new byte[0]));
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        for (int i = 0; i < LENGTH; i++) {
            if (data.get(i) != (long) LAPS * root.nodes()) {
                return Verdict.wrong("word " + i + " is " + data.get(i));
            }
        }
        return Verdict.right(LAPS + " laps");
    }
}
