package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.lifecycle.Agent;
import io.muninn.agent.lifecycle.ExitStatus;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.LoggerFactory;

/**
 * Main class of an agent that {@code dsm run} starts: what {@code dsm node} is for one that a
 * person starts. It reads its configuration from standard input, where heartbeats follow; its
 * arguments are for people who look at the list of processes.
 */
final class LaunchedAgent {
    private static final String SELECTORS = "java.nio.channels.spi.SelectorProvider";
    private static final String SELECTORS_OF_JDK = "sun.nio.ch.EPollSelectorProvider";

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
        spareSearches();
        System.exit(Agent.run(config));
    }

    /** Settles what libraries would look for in every jar of the class path, and find in none. */
    static void spareSearches() {
        nameSelectors();
        startLog();
    }

    /** The network library has the JDK make selectors; somebody may have named others. */
    private static void nameSelectors() {
        if (System.getProperty(SELECTORS) == null && isThere(SELECTORS_OF_JDK)) {
            System.setProperty(SELECTORS, SELECTORS_OF_JDK);
        }
    }

    private static boolean isThere(String classOfJdk) {
        try {
            Class.forName(classOfJdk, false, null);
            return true;
        } catch (ClassNotFoundException ofAnotherJdk) {
            return false;
        }
    }

    /** The log looks for a file of properties where the thread's class loader does. */
    private static void startLog() {
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            LoggerFactory.getILoggerFactory();
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    /** What the launcher tells through its pipe. */
    static AgentConfig told(InputStream pipe) throws IOException {
        return ConfigBytes.read(pipe);
    }
}
