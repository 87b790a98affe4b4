package io.muninn.e2e.programs;

import io.muninn.api.Comparison;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.RemoteLongs;
import io.muninn.api.Shared;
import java.util.concurrent.locks.Condition;

/** Ways in which a program of two nodes or more waits for ever; the argument chooses one. */
public final class Hangs implements DsmProgram {
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int MESSAGES = 1000;

    /** Something to call. */
    interface Desk {
        long ask(long depth);
    }

    @Shared final RemoteLongs flag = RemoteLongs.of(2);

    private final String way;

    public Hangs(String[] options) {
        way = options[0];
    }

    @Override
    public void run(DsmNode node) throws InterruptedException {
        switch (way) {
            case "lock-at-barrier" -> lockAtBarrier(node);
            case "opposite-order" -> oppositeOrder(node);
            case "opposite-order-beside-work" -> {
                if (node.id() < 2) {
                    oppositeOrder(node);
                } else {
                    work(node);
                }
            }
            case "ends-with-lock" -> endsWithLock(node);
            case "no-signal" -> noSignal(node);
            case "no-sender" -> noSender(node);
            case "calls-each-other" -> callsEachOther(node);
            case "no-receiver" -> noReceiver(node);
            case "other-barrier" -> node.barrier("of node " + node.id()).await();
            case "missing-node" -> missingNode(node);
            case "reader-at-barrier" -> readerAtBarrier(node);
            default -> throw new IllegalArgumentException(way);
        }
    }

    private static void lockAtBarrier(DsmNode node) {
        DsmLock lock = node.lock("held");
        DsmBarrier ready = node.barrier("ready");
        if (node.isRoot()) {
            lock.lock();
        }
        ready.await();
        if (!node.isRoot()) {
            lock.lock();
        }
        node.barrier("phase").await();
    }

    private static void oppositeOrder(DsmNode node) {
        DsmLock first = node.lock(node.id() == 0 ? "left" : "right");
        DsmLock second = node.lock(node.id() == 0 ? "right" : "left");
        first.lock();
        node.barrier("both", 2).await();
        second.lock();
    }

    private static void work(DsmNode node) {
        DsmLock own = node.lock("own");
        long sum = 0;
        while (true) {
            own.lock();
            sum += sum ^ System.nanoTime();
            own.unlock();
        }
    }

    private static void endsWithLock(DsmNode node) {
        DsmLock lock = node.lock("kept");
        if (node.isRoot()) {
            lock.lock();
        }
        node.barrier("ready").await();
        if (!node.isRoot()) {
            lock.lock();
        }
    }

    private static void noSignal(DsmNode node) throws InterruptedException {
        DsmLock lock = node.lock("monitor");
        Condition full = lock.newCondition("full");
        lock.lock();
        full.await();
    }

    private static void noSender(DsmNode node) throws InterruptedException {
        if (node.isRoot()) {
            node.messages().receiveLong(1, 7);
        }
    }

    /** Each node calls its own object, and each object the other one when both run a call. */
    private void callsEachOther(DsmNode node) {
        Desk[] desks = new Desk[2];
        for (int i = 0; i < desks.length; i++) {
            int other = 1 - i;
            desks[i] =
                    node.shipped(
                            "desk " + i,
                            Desk.class,
                            i,
                            () ->
                                    depth -> {
                                        if (depth > 0) {
                                            return depth;
                                        }
                                        flag.add(0, 1);
                                        flag.awaitUntil(0, Comparison.EQUAL, desks.length);
                                        return desks[other].ask(1);
                                    });
        }
        desks[1 - node.id()].ask(0);
    }

    private static void noReceiver(DsmNode node) throws InterruptedException {
        if (node.isRoot()) {
            for (int i = 0; i < MESSAGES; i++) {
                node.messages().send(1, 7, new byte[MESSAGE_BYTES]);
            }
        }
    }

    private static void missingNode(DsmNode node) {
        if (node.id() != 1) {
            node.barrier("phase").await();
        }
    }

    private static void readerAtBarrier(DsmNode node) {
        DsmReadWriteLock lock = node.readWriteLock("table");
        if (node.isRoot()) {
            lock.readLock().lock();
        }
        node.barrier("ready").await();
        if (!node.isRoot()) {
            lock.writeLock().lock();
        }
        node.barrier("phase").await();
    }
}
