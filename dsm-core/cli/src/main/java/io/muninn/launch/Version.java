package io.muninn.launch;

import io.muninn.agent.memory.VectorDiffs;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Muninn's version, that of the JVM it runs on, and which diff kernel this machine takes. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String own = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "Muninn " + Optional.ofNullable(own).orElse("(not packaged)"),
            "JVM " + Runtime.version(),
            "diff kernel " + VectorDiffs.text()
        };
    }
}
