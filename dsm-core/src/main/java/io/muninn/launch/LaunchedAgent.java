package io.muninn.launch;

import io.muninn.agent.Agent;
import io.muninn.agent.AgentConfig;
import io.muninn.agent.ExitStatus;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Main class of an agent that {@code dsm run} starts: what {@code dsm node} is for one that a
 * person starts. It reads its configuration from standard input, where heartbeats follow; its
 * arguments are for people who look at the list of processes.
 */
final class LaunchedAgent {
    private LaunchedAgent() {}

    public static void main(String[] arguments) throws InterruptedException {
        AgentConfig config;
        try {
            config = told(new FileInputStream(FileDescriptor.in));
        } catch (IOException launcherGone) {
            System.err.println("dsm: no configuration for a node: " + launcherGone.getMessage());
            System.exit(ExitStatus.NODE_LOST);
            return;
        }
        System.exit(Agent.run(config));
    }

    /** What the launcher tells through its pipe. */
    static AgentConfig told(InputStream pipe) throws IOException {
        return ConfigBytes.read(pipe);
    }
}
