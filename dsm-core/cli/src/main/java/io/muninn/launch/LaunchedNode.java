package io.muninn.launch;

import java.io.IOException;
import java.io.OutputStream;

/**
 * An agent that the launcher has started: its process, and the pipe for its configuration and the
 * launcher's heartbeats. It inherits standard output and error.
 */
final class LaunchedNode {
    private static final byte HEARTBEAT = '.';

    private final int id;
    private final Process process;
    private boolean killed;
    private int stoppedLooks;

    private LaunchedNode(int id, Process process) {
        this.id = id;
        this.process = process;
    }

    /**
     * Starts an agent and sends its configuration.
     *
     * @throws IOException if the process cannot be started
     */
    static LaunchedNode start(int id, Launcher.AgentStart agent, RunTag mark) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(agent.command());
        builder.environment().put(RunTag.VARIABLE, mark.value());
        builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        LaunchedNode node = new LaunchedNode(id, builder.start());
        node.write(agent.configuration());
        return node;
    }

    int id() {
        return id;
    }

    Process process() {
        return process;
    }

    /**
     * Sends one byte. The pipe holds those of many hours, so a stopped agent does not block this.
     */
    void sendHeartbeat() {
        write(new byte[] {HEARTBEAT});
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

    /** Ends the agent's input, which ends the agent. */
    void closePipe() {
        try {
            process.getOutputStream().close();
        } catch (IOException agentHasEnded) {
            return; // as intended
        }
    }

    void kill() {
        killed = true;
        process.destroyForcibly();
    }

    AgentExit ending() {
        return new AgentExit(id, process.exitValue(), killed);
    }

    private void write(byte[] bytes) {
        try {
            OutputStream pipe = process.getOutputStream();
            pipe.write(bytes);
            pipe.flush();
        } catch (IOException agentHasEnded) {
            return; // the exit status of the process follows
        }
    }
}
