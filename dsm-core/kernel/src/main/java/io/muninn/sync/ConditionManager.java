package io.muninn.sync;

import io.muninn.model.ConditionId;
import io.muninn.model.NodeId;
import io.muninn.spi.Effects;
import io.muninn.sync.SyncMessage.ConditionCancel;
import io.muninn.sync.SyncMessage.ConditionCancelled;
import io.muninn.sync.SyncMessage.ConditionQueued;
import io.muninn.sync.SyncMessage.ConditionSignal;
import io.muninn.sync.SyncMessage.ConditionSignalled;
import io.muninn.sync.SyncMessage.ConditionWait;
import io.muninn.sync.SyncMessage.ConditionWake;
import java.util.ArrayDeque;
import java.util.TreeMap;

/**
 * The queues of all conditions, on the root. A waiting thread is in the queue before it releases
 * the lock, and a signalling thread continues when the signal has been processed here. Both hold
 * the lock meanwhile, so waits and signals of one condition are ordered by the lock: a signal wakes
 * threads that waited when it was given, never threads that arrived later.
 *
 * <p>A waiter whose time limit has elapsed stays in the queue until the manager has removed it. If
 * a signal has selected it before, the signal counts: the cancellation is not answered, and the
 * wake-up in transit ends the wait. So no signal is lost on a thread that has stopped waiting.
 *
 * <p>Bounded: a thread is in one queue at most, once.
 *
 * <p>Source: Munin §3.5.3. Departure: Java's semantics, a signal without waiters has no effect;
 * there a condition is a binary semaphore.
 *
 * <pre>
 *           ConditionWait          ConditionSignal             ConditionCancel
 * Empty     queue, answer, →Some   answer                      ignore (1)
 * Some      queue, answer          wake the oldest or all,     take out, answer (1)
 *                                  answer (2)
 *
 * (1) ignored if the thread is not in the queue: a signal has selected it
 * (2) →Empty when the queue is empty
 * </pre>
 */
public final class ConditionManager {
    private record Queued(NodeId node, int thread) {}

    private final TreeMap<ConditionId, ArrayDeque<Queued>> queues = new TreeMap<>(); // none empty

    public void onConditionWait(NodeId from, ConditionWait wait, Effects out) {
        queues.computeIfAbsent(wait.condition(), _ -> new ArrayDeque<>())
                .add(new Queued(from, wait.thread()));
        out.send(from, new ConditionQueued(wait.condition(), wait.thread()));
    }

    public void onConditionSignal(NodeId from, ConditionSignal signal, Effects out) {
        ArrayDeque<Queued> queue = queues.getOrDefault(signal.condition(), new ArrayDeque<>());
        int woken = signal.all() ? queue.size() : Math.min(1, queue.size());
        for (int i = 0; i < woken; i++) {
            Queued next = queue.remove();
            out.send(next.node(), new ConditionWake(signal.condition(), next.thread()));
        }
        forgetIfEmpty(signal.condition());
        out.send(from, new ConditionSignalled(signal.condition(), signal.thread()));
    }

    /** Processes the end of a waiter's time limit. */
    public void onConditionCancel(NodeId from, ConditionCancel cancel, Effects out) {
        ArrayDeque<Queued> queue = queues.get(cancel.condition());
        if (queue != null && isQueued(cancel.condition(), from, cancel.thread())) {
            queue.remove(new Queued(from, cancel.thread()));
            forgetIfEmpty(cancel.condition());
            out.send(from, new ConditionCancelled(cancel.condition(), cancel.thread()));
        }
    }

    private void forgetIfEmpty(ConditionId condition) {
        if (queues.containsKey(condition) && queues.get(condition).isEmpty()) {
            queues.remove(condition);
        }
    }

    /** True while that thread is in the condition's queue. */
    public boolean isQueued(ConditionId condition, NodeId node, int thread) {
        ArrayDeque<Queued> queue = queues.get(condition);
        return queue != null && queue.contains(new Queued(node, thread));
    }

    /** The condition's state, by its name in the table above. */
    public String stateOf(ConditionId condition) {
        return queues.containsKey(condition) ? "Some" : "Empty";
    }
}
