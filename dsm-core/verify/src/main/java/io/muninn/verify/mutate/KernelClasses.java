package io.muninn.verify.mutate;

import io.muninn.kernel.NodeKernel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The classes of the kernel, as files of the class path. */
final class KernelClasses {
    private static final List<String> PACKAGES =
            List.of("directory", "kernel", "spi", "coherence", "sync");

    private static final String ROOT = "io/muninn/";
    private static final String PORTS = "io.muninn.kernel.port.";
    private static final String SUFFIX = ".class";

    private KernelClasses() {}

    /** True for a class that may be changed: of one of the kernel's packages, except ports. */
    static boolean has(String className) {
        return PACKAGES.stream()
                        .map(each -> ROOT.replace('/', '.') + each + ".")
                        .anyMatch(className::startsWith)
                && !className.startsWith(PORTS);
    }

    /** Their names, in order. */
    static List<String> names() {
        try {
            URI source =
                    NodeKernel.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            Path path = Path.of(source);
            if (Files.isDirectory(path)) {
                return names(path);
            }
            try (FileSystem jar = FileSystems.newFileSystem(path)) {
                return names(jar.getPath("/"));
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        } catch (URISyntaxException cause) {
            throw new IllegalStateException(cause);
        }
    }

    private static List<String> names(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve(ROOT))) {
            return files.map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(SUFFIX))
                    .map(file -> file.substring(0, file.length() - SUFFIX.length()))
                    .map(file -> file.replace('/', '.'))
                    .filter(KernelClasses::has)
                    .sorted()
                    .toList();
        }
    }

    /** The bytes of any class of this project. */
    static byte[] read(String className) {
        String file = "/" + className.replace('.', '/') + SUFFIX;
        try (InputStream in = KernelClasses.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("no class " + className);
            }
            return in.readAllBytes();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
