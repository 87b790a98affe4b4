package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;
import io.muninn.api.Message;
import io.muninn.api.Messages;
import io.muninn.api.Mode;

/**
 * A thread of {@link QsortMessages} that requests parts and sorts them.
 *
 * <p><b>Threads.</b> Confined to one thread.
 */
final class PartAsker {
    private static final int HEADER = 2;

    private final DsmNode node;

    /** A request: thread, index of the first element, elements. */
    private final IntArray part;

    PartAsker(DsmNode node, QsortProblem problem) {
        this.node = node;
        this.part = IntArray.local(HEADER + problem.threshold());
    }

    void run() {
        Messages messages = node.messages();
        part.set(0, node.thread());
        int words = HEADER;
        while (true) {
            messages.send(0, QsortMessages.REQUEST, part.segment(0, words, Mode.READ));
            Message message = messages.receive(0, QsortMessages.PART + node.thread());
            if (message.bytes() == 0) {
                return;
            }
            words = 1 + message.bytes() / Integer.BYTES;
            part.segment(1, words, Mode.WRITE).copyFrom(message.content());
            QsortKernel.sort(part, new Band(HEADER, words), node::work);
        }
    }
}
