package io.muninn.sim.ncc;

import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.service.RemoteLink;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Remote variables: their words are never cached. An operation with an answer waits for it, one
 * without is a store under way. A processor that waits for a condition is told when a later
 * operation fulfils it.
 *
 * <p>Source: Kontothanassis and Scott, section 4.3 (remote reference).
 */
final class RemoteReferences implements RemoteLink {
    private record Waiter(NccProcessor processor, int home, WordCondition condition) {}

    /** Bytes of an operation on several words before the words. */
    private static final int BULK_HEAD = 13;

    private final Machine machine;
    private final MemorySegment memory;
    private final List<Waiter> waiters = new ArrayList<>();

    RemoteReferences(Machine machine, long bytes) {
        this.machine = machine;
        memory = MemorySegment.ofArray(new long[Math.toIntExact(bytes / Long.BYTES)]);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    /** False, also for the own home: the machine counts each operation. */
    @Override
    public boolean isDirect(int node) {
        return false;
    }

    @Override
    public byte[] call(int home, byte[] operations) {
        NccProcessor by = machine.current();
        if (machine.isTimed()) {
            by.settle();
        }
        byte[] answer = perform(by, home, operations);
        if (machine.isTimed()) {
            Hardware hardware = machine.hardware();
            long served = by.now() + hardware.way(by.id(), home);
            served = hardware.memory(home, words(operations, answer), served);
            by.passUntil(served + hardware.way(home, by.id()), Spent.MISSES);
        }
        return answer;
    }

    /** Words that operations load or store: one each, or those that they carry. */
    private static int words(byte[] operations, byte[] answer) {
        int stored = (operations.length - BULK_HEAD) / NccModel.WORD_BYTES;
        int loaded = answer.length / (2 * NccModel.WORD_BYTES);
        return Math.max(RemoteOperations.count(operations), Math.max(stored, loaded));
    }

    @Override
    public void post(int home, byte[] operations) {
        NccProcessor by = machine.current();
        if (machine.isTimed()) {
            by.settle();
            by.awaitRoom();
            by.pass(1, Spent.COMPUTATION);
            int words = words(operations, new byte[0]);
            by.underWay(machine.hardware().write(by.id(), home, words, by.now()));
        }
        perform(by, home, operations);
    }

    private byte[] perform(NccProcessor by, int home, byte[] operations) {
        byte[] answer = RemoteOperations.perform(operations, memory);
        for (Waiter each : List.copyOf(waiters)) {
            if (each.condition().holds(memory)) {
                waiters.remove(each);
                long told = by.now() + machine.hardware().way(home, each.processor().id());
                each.processor().passUntil(told, Spent.SYNCHRONIZATION);
                machine.timeline().wake(each.processor(), by);
            }
        }
        return answer;
    }

    @Override
    public void begin(long number, int home, byte[] operations) {
        throw new UnsupportedOperationException(
                "the machine has no futures of remote operations; use those that wait");
    }

    @Override
    public void fence() {
        if (machine.isTimed()) {
            machine.current().fence(Spent.MISSES);
        }
    }

    /** Waits without a limit. */
    @Override
    public void await(int home, WordCondition condition, long limitNanos) {
        NccProcessor by = machine.current();
        if (machine.isTimed()) {
            by.settle();
            by.passUntil(machine.hardware().word(by.id(), home, by.now()), Spent.SYNCHRONIZATION);
        }
        if (!condition.holds(memory)) {
            waiters.add(new Waiter(by, home, condition));
            by.suspend();
        }
    }
}
