package io.muninn.bench.live;

import java.util.ArrayDeque;
import java.util.Queue;

/** The queue as an object of the root. Calls arrive one at a time. */
final class HeapTaskStore implements TaskStore {
    private static final byte[] NONE = {};

    private final Queue<byte[]> tasks = new ArrayDeque<>();

    HeapTaskStore(int count, int taskBytes) {
        for (int i = 0; i < count; i++) {
            tasks.add(new byte[taskBytes]);
        }
    }

    @Override
    public byte[] take() {
        byte[] task = tasks.poll();
        return task == null ? NONE : task;
    }

    @Override
    public void put(byte[] task) {
        tasks.add(task);
    }
}
