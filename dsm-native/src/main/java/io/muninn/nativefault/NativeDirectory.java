package io.muninn.nativefault;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the directory of the native libraries. Libraries are loaded by absolute path, never
 * unpacked into a temporary folder, where a killed process would leave them. The system property
 * {@code muninn.native} names the directory; otherwise the environment variable {@code
 * MUNINN_NATIVE}, with which an agent passes it to its application; otherwise it is the build's,
 * next to these classes; otherwise the libraries of the jars are unpacked into {@link NativeCache}.
 */
public final class NativeDirectory {
    static final String PROPERTY = "muninn.native";
    static final String VARIABLE = "MUNINN_NATIVE";
    private static final String FAULT_LIBRARY = NativeCache.FAULT_LIBRARY;
    private static final String JNA_LIBRARY = NativeCache.JNA_LIBRARY;
    private static final String SEARCH_PATH = "jna.platform.library.path";

    private NativeDirectory() {}

    /**
     * Puts this process's directory into a child's environment, so that the child needs no option.
     *
     * @throws IllegalStateException if there is no directory; the text gives the remedy
     */
    public static void putInto(Map<String, String> environment) {
        environment.put(VARIABLE, directory().toString());
    }

    /**
     * The directory into which the libraries of the jars are unpacked; empty if this process has
     * another one, which its children find as it does, or inherit.
     *
     * @throws IllegalStateException if the libraries cannot be unpacked; the text gives the remedy
     */
    public static Optional<Path> unpacked() {
        boolean isNamed = System.getProperty(PROPERTY) != null || System.getenv(VARIABLE) != null;
        return isNamed || Files.isRegularFile(besideTheseClasses().resolve(FAULT_LIBRARY))
                ? Optional.empty()
                : NativeCache.ofUser(platform()).unpacked();
    }

    /**
     * Returns the engine's library. Also directs JNA to its own library in the same directory,
     * unless the command line did. Call this before the first use of JNA.
     *
     * @throws IllegalStateException if there is no library; the text gives the remedy
     */
    static Path faultLibrary() {
        Path directory = directory();
        if (System.getProperty("jna.boot.library.path") == null
                && Files.isRegularFile(directory.resolve(JNA_LIBRARY))) {
            System.setProperty("jna.boot.library.path", directory.toString());
            System.setProperty("jna.nounpack", "true");
        }
        if (System.getProperty(SEARCH_PATH) == null) {
            // Without it JNA runs ldconfig to find search paths that are never needed.
            System.setProperty(SEARCH_PATH, directory.toString());
        }
        return directory.resolve(FAULT_LIBRARY);
    }

    private static Path directory() {
        String property = System.getProperty(PROPERTY);
        if (property != null) {
            return named(property, "-D" + PROPERTY);
        }
        String variable = System.getenv(VARIABLE);
        if (variable != null) {
            return named(variable, "the environment variable " + VARIABLE);
        }
        Path built = besideTheseClasses();
        if (Files.isRegularFile(built.resolve(FAULT_LIBRARY))) {
            return built;
        }
        return unpacked().orElseThrow(() -> missing(built));
    }

    private static IllegalStateException missing(Path built) {
        return new IllegalStateException(
                "the fault engine's library is neither "
                        + built.resolve(FAULT_LIBRARY)
                        + " nor in a jar of the class path; add io.muninn:dsm-native with the"
                        + " classifier "
                        + platform()
                        + ", build dsm-native with Maven, or pass -D"
                        + PROPERTY
                        + "=DIRECTORY of "
                        + FAULT_LIBRARY);
    }

    private static Path named(String given, String where) {
        Path directory = Path.of(given).toAbsolutePath();
        if (!Files.isRegularFile(directory.resolve(FAULT_LIBRARY))) {
            throw new IllegalStateException(
                    "there is no "
                            + FAULT_LIBRARY
                            + " in "
                            + directory
                            + ", which "
                            + where
                            + " names; build dsm-native or correct it");
        }
        return directory;
    }

    /** {@code target/native/PLATFORM} next to {@code target/classes} or to {@code target/x.jar}. */
    private static Path besideTheseClasses() {
        CodeSource source = NativeDirectory.class.getProtectionDomain().getCodeSource();
        try {
            Path classes = Path.of(source.getLocation().toURI()).toAbsolutePath();
            return classes.resolveSibling("native").resolve(platform());
        } catch (URISyntaxException cause) {
            throw new IllegalStateException("no file path: " + source.getLocation(), cause);
        }
    }

    /** The platform's name in JNA. */
    private static String platform() {
        String machine = System.getProperty("os.arch");
        return "linux-" + (machine.equals("amd64") ? "x86-64" : machine);
    }
}
