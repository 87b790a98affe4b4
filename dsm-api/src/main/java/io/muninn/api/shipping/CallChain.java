package io.muninn.api.shipping;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls within which a thread runs: their objects, outermost first, and the locks that their
 * callers hold. Each call carries its chain. A call or a wait that would depend on the chain's own
 * end is refused.
 *
 * <p><b>Threads.</b> A thread has one chain at a time. Chains are immutable.
 *
 * @param objects names; empty outside all shipped calls
 * @param locks names, held by the callers of these objects
 */
public record CallChain(List<String> objects, List<String> locks) {
    /** Outside all shipped calls. */
    public static final CallChain NONE = new CallChain(List.of(), List.of());

    private static final ThreadLocal<CallChain> CURRENT = ThreadLocal.withInitial(() -> NONE);

    public CallChain {
        objects = List.copyOf(objects);
        locks = List.copyOf(locks);
    }

    /** The chain of the calling thread. */
    public static CallChain current() {
        return CURRENT.get();
    }

    /**
     * Returns the chain for a call that the calling thread makes.
     *
     * @param held the locks that the thread holds
     * @throws IllegalStateException if the object is in the chain already
     */
    static CallChain calling(String object, List<String> held) {
        CallChain current = current();
        if (current.objects.contains(object)) {
            throw new IllegalStateException(
                    "object '"
                            + current.objects.getLast()
                            + "' calls object '"
                            + object
                            + "', which waits for that call to end: "
                            + String.join(" > ", current.objects)
                            + " > "
                            + object);
        }
        List<String> objects = new ArrayList<>(current.objects);
        objects.add(object);
        List<String> locks = new ArrayList<>(current.locks);
        held.stream().filter(lock -> !locks.contains(lock)).forEach(locks::add);
        return new CallChain(objects, locks);
    }

    /** Code that runs within a chain. */
    interface Deed {
        @Nullable Object run() throws Throwable;
    }

    /** Does something within the chain. */
    @Nullable Object during(Deed deed) throws Throwable {
        CallChain before = current();
        CURRENT.set(this);
        try {
            return deed.run();
        } finally {
            CURRENT.set(before);
        }
    }

    /** True if a caller of this chain holds the lock. */
    public boolean holds(String lock) {
        return locks.contains(lock);
    }

    /**
     * Checks a wait for a lock by the calling thread.
     *
     * @throws IllegalStateException if a caller of its chain holds the lock
     */
    public static void checkWait(String lock) {
        CallChain current = current();
        if (current.holds(lock)) {
            String object = current.objects.getLast();
            throw new IllegalStateException(
                    "object '"
                            + object
                            + "' waits for lock '"
                            + lock
                            + "', which a caller holds that waits for object '"
                            + object
                            + "': "
                            + String.join(" > ", current.objects));
        }
    }

    /**
     * Checks an arrival of the calling thread at a barrier.
     *
     * @throws IllegalStateException within a shipped call: barriers are for the program's threads
     */
    public static void checkBarrier(String barrier) {
        CallChain current = current();
        if (!current.objects.isEmpty()) {
            throw new IllegalStateException(
                    "object '"
                            + current.objects.getLast()
                            + "' cannot take part in barrier '"
                            + barrier
                            + "'");
        }
    }

    void write(ByteSink out) {
        write(objects, out);
        write(locks, out);
    }

    private static void write(List<String> names, ByteSink out) {
        out.u32(names.size());
        names.forEach(out::text);
    }

    static CallChain read(ByteSource in) {
        return new CallChain(readNames(in), readNames(in));
    }

    private static List<String> readNames(ByteSource in) {
        int count = in.count(Integer.BYTES);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(in.text());
        }
        return names;
    }
}
