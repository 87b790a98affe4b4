package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** With the jar for which it is: the options' library. */
class RenewedJarTest {
    @TempDir private Path folder;

    private Path original;
    private Path jar;

    @BeforeEach
    void copyLibrary() throws Exception {
        original =
                Path.of(
                        CommandLine.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        jar = Files.copy(original, folder.resolve("options.jar"));
    }

    @Test
    void oldClasses_areOfToday_andRunVerified() throws Exception {
        assertTrue(oldest(original) < ClassFile.JAVA_6_VERSION, "nothing old to renew");

        RenewedJar.renew(jar);

        assertEquals(ClassFile.latestMajorVersion(), oldest(jar));
        assertEquals(names(original), names(jar));
        ClassLoader jdk = ClassLoader.getPlatformClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, jdk)) {
            for (String name : names(jar)) {
                if (name.endsWith(".class") && !name.startsWith("META-INF")) {
                    String type = name.substring(0, name.length() - ".class".length());
                    Class.forName(type.replace('/', '.'), true, loader); // verifies
                }
            }
        }
    }

    @Test
    void renewedJar_isLeftAsItIs() throws IOException {
        RenewedJar.renew(jar);
        byte[] first = Files.readAllBytes(jar);

        RenewedJar.renew(jar);

        assertArrayEquals(first, Files.readAllBytes(jar));
        try (var left = Files.list(folder)) {
            assertEquals(List.of(jar), left.toList());
        }
    }

    private static int oldest(Path path) throws IOException {
        int oldest = Integer.MAX_VALUE;
        try (JarFile file = new JarFile(path.toFile())) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (entry.getName().startsWith("picocli/") && entry.getName().endsWith(".class")) {
                    try (InputStream in = file.getInputStream(entry)) {
                        int version = ClassFile.of().parse(in.readAllBytes()).majorVersion();
                        oldest = Math.min(oldest, version);
                    }
                }
            }
        }
        return oldest;
    }

    private static List<String> names(Path path) throws IOException {
        try (JarFile file = new JarFile(path.toFile())) {
            return Collections.list(file.entries()).stream().map(JarEntry::getName).toList();
        }
    }
}
