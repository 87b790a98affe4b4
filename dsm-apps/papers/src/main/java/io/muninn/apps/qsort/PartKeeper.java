package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;
import io.muninn.api.Message;
import io.muninn.api.Messages;
import io.muninn.api.Mode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The thread of {@link QsortMessages} that manages array and queue, and also sorts.
 *
 * <p><b>Threads.</b> The first thread of the root.
 */
final class PartKeeper {
    /** Units of work between two polls for requests: about 30 µs today, 70 ms in 1991. */
    private static final int POLL_UNITS = 1 << 15;

    private static final int REQUEST_HEADER_BYTES = 2 * Integer.BYTES;

    private final DsmNode node;
    private final Messages messages;
    private final IntArray array;
    private final TaskRing queue;
    private final Sorter sorter;
    private final IntArray part;
    private int others;
    private long unitsSincePoll;

    PartKeeper(DsmNode node, QsortProblem problem, IntArray array) {
        this.node = node;
        this.messages = node.messages();
        this.array = array;
        this.queue = new TaskRing(IntArray.local(TaskRing.elements(problem.tasks())));
        this.sorter = new Sorter(array, problem.threshold(), queue, node::work);
        this.part = IntArray.local(1 + problem.threshold());
        this.others = node.positions() - 1;
        queue.put(problem.all());
    }

    void run() {
        Band small = next();
        while (!small.isEmpty()) {
            QsortKernel.sort(array, small, this::worked);
            answerWaiting();
            small = next();
        }
        while (others > 0) {
            answer(messages.receive(Messages.ANY, QsortMessages.REQUEST));
        }
    }

    /** Returns a part that is small enough to be sorted; empty if the queue is exhausted. */
    private Band next() {
        Band small = new Band(0, 0);
        while (small.isEmpty() && !queue.isEmpty()) {
            small = sorter.narrow(queue.take());
        }
        return small;
    }

    private void worked(long units) {
        node.work(units);
        unitsSincePoll += units;
        if (unitsSincePoll >= POLL_UNITS) {
            unitsSincePoll = 0;
            answerWaiting();
        }
    }

    private void answerWaiting() {
        while (others > 0) {
            try {
                answer(
                        messages.receive(
                                Messages.ANY, QsortMessages.REQUEST, 0, TimeUnit.NANOSECONDS));
            } catch (TimeoutException none) {
                return;
            }
        }
    }

    private void answer(Message request) {
        MemorySegment content = request.content();
        int thread = content.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        int from = content.get(ValueLayout.JAVA_INT_UNALIGNED, Integer.BYTES);
        int sorted = (request.bytes() - REQUEST_HEADER_BYTES) / Integer.BYTES;
        array.segment(from, from + sorted, Mode.WRITE)
                .copyFrom(content.asSlice(REQUEST_HEADER_BYTES));

        Band small = next();
        int words = 0;
        if (small.isEmpty()) {
            others--;
        } else {
            words = 1 + small.length();
            part.set(0, small.from());
            part.segment(1, words, Mode.WRITE)
                    .copyFrom(array.segment(small.from(), small.to(), Mode.READ));
        }
        int tag = QsortMessages.PART + thread;
        messages.send(request.node(), tag, part.segment(0, words, Mode.READ));
    }
}
