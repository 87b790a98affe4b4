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
 * Main class of an agent started by {@code dsm run}, corresponding to {@code dsm node} for an agent
 * started by a user. It reads its configuration from standard input, followed by heartbeats. Its
 * arguments only appear in the list of processes.
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

    /**
     * Sets the properties for which libraries would otherwise search every jar of the class path in
     * vain.
     */
    static void spareSearches() {
        nameSelectors();
        startLog();
    }

    /**
     * Sets the JDK's default selector provider for the network library, unless another one is
     * configured.
     */
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

    /** Starts the log with a class loader in which its search for a properties file is cheap. */
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

    /** Reads the configuration from the launcher's pipe. */
    static AgentConfig told(InputStream pipe) throws IOException {
        return ConfigBytes.read(pipe);
    }
}
