package io.muninn.agent;

import io.muninn.nativefault.QuitSignal;

/** The thread of a launcher that waits for SIGQUIT, which a terminal sends for Ctrl-\. */
public final class QuitWatch {
    private QuitWatch() {}

    /**
     * Starts the thread. From now on the JVM of this process prints no stacks for the signal.
     *
     * @param onQuit called for each signal, on that thread
     */
    public static void start(Runnable onQuit) {
        Thread.ofPlatform()
                .daemon()
                .name("muninn-quit")
                .start(() -> {
                    while (true) {
                        QuitSignal.await();
                        onQuit.run();
                    }
                });
    }
}
