package io.muninn.launch.process;

import io.muninn.agent.LauncherPipe;
import io.muninn.agent.lifecycle.JavaVariables;
import io.muninn.agent.lifecycle.NodeEnd;
import io.muninn.agent.lifecycle.ServedNodes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * An agent that the launcher has started: its process, and the pipe for its configuration and the
 * launcher's heartbeats. Its {@link Streams} are those of the run; the agent of the root may
 * inherit standard input, for its application. A shell sets the number of the pipe's descriptor.
 */
public final class AgentProcess {
    /** The shell's $0 is the path of a pipe. */
    private static final String PIPE_BY_PATH = "exec \"$@\" " + LauncherPipe.DESCRIPTOR + "<\"$0\"";

    /** Standard input is a pipe. */
    private static final String PIPE_FROM_INPUT =
            "exec \"$@\" " + LauncherPipe.DESCRIPTOR + "<&0 </dev/null";

    private final ServedNodes nodes;
    private final Process process;
    private final OutputStream pipe;
    private boolean killed;
    private int stoppedLooks;

    private AgentProcess(ServedNodes nodes, Process process, OutputStream pipe) {
        this.nodes = nodes;
        this.process = process;
        this.pipe = pipe;
    }

    /**
     * Starts an agent and sends its configuration.
     *
     * @throws IOException if the process cannot be started
     */
    static AgentProcess start(
            ServedNodes nodes, Launcher.AgentStart agent, RunTag mark, Streams streams)
            throws IOException {
        AgentProcess started;
        if (nodes.hasRoot() && streams.hasInput()) {
            OwnPipe own = OwnPipe.open();
            List<String> command = withPipe(PIPE_BY_PATH, own.path().toString(), agent.command());
            ProcessBuilder builder = builder(command, mark, streams);
            builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
            started = new AgentProcess(nodes, builder.start(), own.out());
        } else {
            Process process = builder(withPipe(agent.command()), mark, streams).start();
            started = new AgentProcess(nodes, process, process.getOutputStream());
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
        return nodes;
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

    NodeEnd ending() {
        return new NodeEnd(nodes, process.exitValue(), killed);
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
