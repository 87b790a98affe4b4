package io.muninn.launch;

import io.muninn.agent.memory.VectorDiffs;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The versions of Muninn and of its JVM, and the diff kernel for this machine. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String own = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "Muninn " + Optional.ofNullable(own).orElse("(not packaged)"),
            "JVM " + Runtime.version() + " in " + System.getProperty("java.home"),
            "diff kernel " + VectorDiffs.text()
        };
    }
}
