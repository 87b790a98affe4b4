package io.muninn.apps.qsort;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.Messages;

/**
 * The client of a remote task queue. If the queue's answer is to wait, the thread waits for a
 * message of another thread, which the queue requests to wake it.
 *
 * <p><b>Threads.</b> Confined to one thread.
 */
final class ShippedTasks implements TaskSink {
    /**
     * Tag of a message that wakes thread 0 of a node; for thread <i>i</i> it is greater by
     * <i>i</i>.
     */
    private static final int WAKE = 0;

    /** The absence of a part. */
    private static final Band NONE = new Band(0, 0);

    private final DsmNode node;
    private final Messages messages;
    private final TaskQueue queue;

    ShippedTasks(DsmNode node, TaskQueue queue) {
        this.node = node;
        this.messages = node.messages();
        this.queue = queue;
    }

    @Override
    public boolean put(Band task) {
        return switch (queue.put(task)) {
            case TaskQueue.Full() -> false;
            case TaskQueue.Kept() -> true;
            case TaskQueue.Awaited(int thread) -> {
                wake(thread);
                yield true;
            }
        };
    }

    /** Waits for a task; returns an empty one if there will be no more. */
    Band take() {
        while (true) {
            switch (queue.take(node.position())) {
                case TaskQueue.Work(Band task) -> {
                    return task;
                }
                case TaskQueue.Wait() -> messages.receive(Messages.ANY, WAKE + node.thread());
                case TaskQueue.NoMore(var sleepers) -> {
                    sleepers.forEach(this::wake);
                    return NONE;
                }
            }
        }
    }

    private void wake(int position) {
        messages.send(position / node.threads(), WAKE + position % node.threads(), 0L);
    }
}
