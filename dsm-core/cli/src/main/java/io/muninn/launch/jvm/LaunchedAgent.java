package io.muninn.launch.jvm;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.LauncherPipe;
import io.muninn.agent.lifecycle.Agent;
import io.muninn.agent.lifecycle.ExitStatus;
import io.muninn.report.StandardOutput;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Main class of an agent that {@code dsm run} starts. It reads the configurations of its nodes from
 * the {@link LauncherPipe}, where heartbeats follow. Its arguments are only shown in the list of
 * processes.
 */
public final class LaunchedAgent {
    private static final String SELECTORS = "java.nio.channels.spi.SelectorProvider";
    private static final String SELECTORS_OF_JDK = "sun.nio.ch.EPollSelectorProvider";

    private LaunchedAgent() {}

    public static void main(String[] arguments) throws InterruptedException {
        StandardOutput.install();
        List<AgentConfig> configs;
        try (InputStream pipe = LauncherPipe.open()) {
            configs = ConfigBytes.readAll(pipe);
        } catch (IOException launcherGone) {
            System.err.println("dsm: no configuration for a node: " + launcherGone.getMessage());
            System.exit(ExitStatus.NODE_LOST);
            return;
        }
        avoidSearches();
        System.exit(Agent.run(configs));
    }

    /** Initializes libraries that would search all jars of the class path in vain. */
    public static void avoidSearches() {
        nameSelectors();
        startLog();
    }

    /** Names the JDK's selector provider, which Netty uses, unless another one is configured. */
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

    /** Starts the log while the thread's class loader has no jars to search for its properties. */
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
}
