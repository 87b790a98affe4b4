package io.muninn.launch.process;

import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;

/**
 * The standard streams of the processes of a run.
 *
 * @param hasInput whether the program on node 0 reads standard input of the launcher; otherwise its
 *     input is empty, as on other nodes
 * @param output of all processes, and their errors
 * @param messages receives what the launcher itself reports
 * @param hasProgress whether the launcher shows its progress among the messages
 * @param takesQuit whether SIGQUIT shows the waits of the run, instead of the stacks of the
 *     launcher's JVM
 */
public record Streams(
        boolean hasInput,
        Redirect output,
        PrintStream messages,
        boolean hasProgress,
        boolean takesQuit) {
    /** The streams of a launcher that is a process of its own. */
    public static Streams inherited() {
        return new Streams(true, Redirect.INHERIT, System.err, Progress.isTerminal(), true);
    }
}
