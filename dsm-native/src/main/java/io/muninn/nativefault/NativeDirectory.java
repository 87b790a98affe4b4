package io.muninn.nativefault;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/**
 * Finds the directory of the native libraries, by absolute path, so that nothing is ever unpacked
 * into a temporary folder where a killed process would leave it.
 */
final class NativeDirectory {
    static final String PROPERTY = "muninn.native";
    private static final String FAULT_LIBRARY = "libdsmfault.so";
    private static final String JNA_LIBRARY = "libjnidispatch.so";
    private static final String SEARCH_PATH = "jna.platform.library.path";

    private NativeDirectory() {}

    /**
     * The engine's library. Also points JNA to its own library in the same directory, unless the
     * command line did; call it before the first use of JNA.
     *
     * @throws IllegalStateException if there is none; the text says what to do
     */
    static Path faultLibrary() {
        Path directory = directory();
        if (System.getProperty("jna.boot.library.path") == null
                && Files.isRegularFile(directory.resolve(JNA_LIBRARY))) {
            System.setProperty("jna.boot.library.path", directory.toString());
            System.setProperty("jna.nounpack", "true");
        }
        if (System.getProperty(SEARCH_PATH) == null) {
            // Without it JNA runs ldconfig, to learn where libraries are that nobody asks it for.
            System.setProperty(SEARCH_PATH, directory.toString());
        }
        return directory.resolve(FAULT_LIBRARY);
    }

    private static Path directory() {
        String given = System.getProperty(PROPERTY);
        if (given != null) {
            Path directory = Path.of(given).toAbsolutePath();
            if (!Files.isRegularFile(directory.resolve(FAULT_LIBRARY))) {
                throw new IllegalStateException(
                        "there is no "
                                + FAULT_LIBRARY
                                + " in "
                                + directory
                                + ", which -D"
                                + PROPERTY
                                + " names; build dsm-native or correct the property");
            }
            return directory;
        }
        Path built = besideTheseClasses();
        if (!Files.isRegularFile(built.resolve(FAULT_LIBRARY))) {
            throw new IllegalStateException(
                    "the fault engine's library "
                            + built.resolve(FAULT_LIBRARY)
                            + " is not there; build dsm-native with Maven, or pass -D"
                            + PROPERTY
                            + "=DIRECTORY of "
                            + FAULT_LIBRARY);
        }
        return built;
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

    /** As JNA names it. */
    private static String platform() {
        String machine = System.getProperty("os.arch");
        return "linux-" + (machine.equals("amd64") ? "x86-64" : machine);
    }
}
