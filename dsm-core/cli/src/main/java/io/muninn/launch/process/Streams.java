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
 */
public record Streams(
        boolean hasInput, Redirect output, PrintStream messages, boolean hasProgress) {
    /** The streams of the launcher. */
    public static Streams inherited() {
        return new Streams(true, Redirect.INHERIT, System.err, Progress.isTerminal());
    }
}
