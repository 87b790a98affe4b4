package io.muninn.verify.mutate;

/**
 * Ends a mutant that runs for ever: every loop of the kernel burns fuel at each turn. Each copy of
 * the classes has its own fuel, and one thread.
 */
public final class Fuel {
    /** A trial of a correct kernel takes a hundredth. */
    private static final long TURNS_MAX = 20_000_000;

    private static long left = TURNS_MAX;

    private Fuel() {}

    static void fill() {
        left = TURNS_MAX;
    }

    /** Called by changed classes. */
    public static void burn() {
        if (--left < 0) {
            throw new IllegalStateException("the kernel does not come to an end");
        }
    }
}
