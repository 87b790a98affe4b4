package io.muninn.launch;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Muninn's version and that of the JVM it runs on. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String own = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "Muninn " + Optional.ofNullable(own).orElse("(not packaged)"),
            "JVM " + Runtime.version()
        };
    }
}
