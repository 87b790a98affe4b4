package io.muninn.nativefault;

/**
 * SIGQUIT, which a JVM takes itself, to print the stacks of its threads, and of which {@code
 * sun.misc.Signal} knows nothing.
 *
 * <p><b>Threads.</b> Any, unless a method says otherwise.
 */
public final class QuitSignal {
    private QuitSignal() {}

    /**
     * Waits for a signal that has arrived since the last call. From the first call on, this JVM
     * prints no stacks, and tools of the JDK cannot attach to it. Called by one thread.
     *
     * @throws NativeCallException if the handler cannot be replaced
     */
    public static void await() {
        checked("dsm_quit_await", FaultLibrary.dsm_quit_await());
    }

    /**
     * Has this process ignore the signal of a terminal, which is for its launcher. Signals of other
     * processes have the usual effect.
     *
     * @throws NativeCallException if the handler cannot be replaced
     */
    public static void ignoreTerminal() {
        checked("dsm_quit_ignore_terminal", FaultLibrary.dsm_quit_ignore_terminal());
    }

    private static void checked(String call, int result) {
        if (result < 0) {
            throw new NativeCallException(call, -result);
        }
    }
}
