package io.muninn.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets this JVM simulate: views read the property once, when their classes are loaded, so it is set
 * before the first test. Processes of clusters do not get it.
 */
public final class SimulatedViews implements LauncherSessionListener {
    private static final String PROPERTY = "muninn.simulated";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, "true");
        }
    }
}
