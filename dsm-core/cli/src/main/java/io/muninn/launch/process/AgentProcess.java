package io.muninn.launch.process;

import io.muninn.agent.LauncherPipe;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.agent.lifecycle.JavaVariables;
import io.muninn.agent.lifecycle.NodeEnd;
import io.muninn.agent.lifecycle.ServedNodes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An agent that the launcher has started: its process, and the pipe for its configuration and the
 * launcher's heartbeats. Its {@link Streams} are those of the run; the agent of the root may
 * inherit standard input, for its application. A shell sets the number of the pipe's descriptor.
 * For an agent of another host the process is a client of ssh, whose standard input is the pipe.
 */
public final class AgentProcess {
    /**
     * The shell's $0 is the path of a pipe. Agents and applications ignore signals of a terminal,
     * which reach all processes: the launcher lets the root show all waits. JVMs take SIGQUIT
     * nevertheless, and ignore it by a handler of their own.
     */
    private static final String PIPE_BY_PATH =
            "trap '' INT QUIT; exec \"$@\" " + LauncherPipe.DESCRIPTOR + "<\"$0\"";

    /** Standard input is a pipe. */
    private static final String PIPE_FROM_INPUT =
            "trap '' INT QUIT; exec \"$@\" " + LauncherPipe.DESCRIPTOR + "<&0 </dev/null";

    /** A client of ssh, whose standard input is a pipe, as that of {@link #PIPE_FROM_INPUT}. */
    private static final String CLIENT = "trap '' INT QUIT; exec \"$@\"";

    /** The exit status of a client of ssh whose connection has failed. */
    private static final int NO_CONNECTION = 255;

    /** The exit statuses of a shell that cannot execute a command. */
    private static final int CANNOT_EXECUTE = 126;

    private static final int NO_COMMAND = 127;

    private final Launcher.Place place;
    private final Process process;
    private final OutputStream pipe;
    private boolean killed;
    private int stoppedLooks;

    private AgentProcess(Launcher.Place place, Process process, OutputStream pipe) {
        this.place = place;
        this.process = process;
        this.pipe = pipe;
    }

    /**
     * Starts an agent and sends its configuration.
     *
     * @throws IOException if the process cannot be started
     */
    static AgentProcess start(
            Launcher.Place place, Launcher.AgentStart agent, RunTag mark, Streams streams)
            throws IOException {
        AgentProcess started;
        if (place.host().isPresent()) {
            Process client =
                    builder(withPipe(CLIENT, "sh", agent.command()), mark, streams).start();
            started = new AgentProcess(place, client, client.getOutputStream());
        } else if (place.nodes().hasRoot() && streams.hasInput()) {
            OwnPipe own = OwnPipe.open();
            List<String> command = withPipe(PIPE_BY_PATH, own.path().toString(), agent.command());
            ProcessBuilder builder = builder(command, mark, streams);
            builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
            started = new AgentProcess(place, builder.start(), own.out());
        } else {
            Process process = builder(withPipe(agent.command()), mark, streams).start();
            started = new AgentProcess(place, process, process.getOutputStream());
        }
        started.write(agent.configuration());
        return started;
    }

    /** Returns the command of an agent whose pipe is that to its standard input. */
    public static List<String> withPipe(List<String> command) {
        return withPipe(PIPE_FROM_INPUT, "sh", command);
    }

    private static List<String> withPipe(String script, String zeroth, List<String> command) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", script, zeroth));
        words.addAll(command);
        return words;
    }

    private static ProcessBuilder builder(List<String> command, RunTag mark, Streams streams) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(RunTag.VARIABLE, mark.value());
        JavaVariables.hide(builder.environment());
        builder.redirectOutput(streams.output());
        builder.redirectError(streams.output());
        return builder;
    }

    ServedNodes nodes() {
        return place.nodes();
    }

    Process process() {
        return process;
    }

    /**
     * Sends one byte. The pipe holds those of many hours, so a stopped agent does not block this.
     */
    void sendHeartbeat() {
        write(new byte[] {LauncherPipe.HEARTBEAT});
    }

    /** Tells the agent that another node has failed, so that it does not wait for that node. */
    void sendFailure() {
        write(new byte[] {LauncherPipe.RUN_FAILED});
    }

    /**
     * Checks whether a signal has stopped the agent.
     *
     * @return how many checks in a row, including this one, found it stopped
     */
    int lookWhetherStopped() {
        boolean stopped = ProcessStat.of(process.pid()).state() == ProcessStat.STOPPED;
        stoppedLooks = stopped ? stoppedLooks + 1 : 0;
        return stoppedLooks;
    }

    /** Tells the agent of the root to show all waits. */
    void sendShowWaits() {
        write(new byte[] {LauncherPipe.SHOW_WAITS});
    }

    /** Tells the agent of the root to show all waits and to end. */
    void sendInterrupt() {
        write(new byte[] {LauncherPipe.INTERRUPTED});
    }

    /** Ends the pipe, which ends the agent. */
    void closePipe() {
        try {
            pipe.close();
        } catch (IOException agentHasEnded) {
            return; // as intended
        }
    }

    void kill() {
        killed = true;
        process.destroyForcibly();
    }

    /** The end of the agent. One that can no longer be reached is lost. */
    NodeEnd ending() {
        int status = process.exitValue();
        boolean isCut = place.host().isPresent() && status == NO_CONNECTION;
        return new NodeEnd(nodes(), isCut ? ExitStatus.NODE_LOST : status, killed);
    }

    /** What an agent of another host could not print itself, with the name of the host. */
    Optional<String> unusualEnd() {
        if (place.host().isEmpty() || killed) {
            return Optional.empty();
        }
        String host = place.host().get();
        return switch (process.exitValue()) {
            case NO_CONNECTION ->
                    Optional.of(
                            nodes().are(
                                            "lost",
                                            "on host "
                                                    + host
                                                    + " was killed, or the connection of ssh is"
                                                    + " broken"));
            case CANNOT_EXECUTE, NO_COMMAND ->
                    Optional.of("host " + host + " cannot start " + nodes());
            case ExitStatus.USAGE -> Optional.of("host " + host + " refuses to start " + nodes());
            default -> Optional.empty();
        };
    }

    private void write(byte[] bytes) {
        try {
            pipe.write(bytes);
            pipe.flush();
        } catch (IOException agentHasEnded) {
            return; // the exit status of the process follows
        }
    }
}
