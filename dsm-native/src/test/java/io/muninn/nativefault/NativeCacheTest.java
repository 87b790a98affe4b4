package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files stand for the jars. */
class NativeCacheTest {
    private static final String PLATFORM = "linux-x86-64";
    private static final String NETTY = "libnetty_transport_native_epoll_x86_64.so";

    @TempDir private Path temporary;
    private Path jars;
    private Path folder;

    @BeforeEach
    void setUp() throws IOException {
        jars = temporary.resolve("jars");
        folder = temporary.resolve("a").resolve("cache");
        write("META-INF/native/" + PLATFORM + "/libdsmfault.so", "fault");
        write("com/sun/jna/" + PLATFORM + "/libjnidispatch.so", "jna");
        write("META-INF/native/" + NETTY, "netty");
    }

    private void write(String name, String text) throws IOException {
        Path file = jars.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static Function<String, Optional<URL>> in(Path jars) {
        return name -> {
            Path file = jars.resolve(name);
            try {
                return Files.exists(file) ? Optional.of(file.toUri().toURL()) : Optional.empty();
            } catch (MalformedURLException cause) {
                throw new IllegalArgumentException(cause);
            }
        };
    }

    private NativeCache cache() {
        return new NativeCache(folder, PLATFORM, in(jars));
    }

    @Test
    void libraries_areUnpackedOnce() throws IOException {
        Path first = cache().unpacked().orElseThrow();
        Path library = first.resolve("libdsmfault.so");
        FileTime longAgo = FileTime.fromMillis(1000);
        Files.setLastModifiedTime(library, longAgo);

        Path second = cache().unpacked().orElseThrow();

        assertEquals(first, second);
        assertEquals(longAgo, Files.getLastModifiedTime(library));
        assertEquals("fault", Files.readString(library));
        assertEquals("jna", Files.readString(first.resolve("libjnidispatch.so")));
        assertEquals("netty", Files.readString(first.resolve(NETTY)));
        assertEquals(1, all(folder).size(), all(folder)::toString);
    }

    @Test
    void otherLibraries_haveAnotherFolder() throws IOException {
        Path first = cache().unpacked().orElseThrow();
        write("META-INF/native/" + NETTY, "newer");

        Path second = cache().unpacked().orElseThrow();

        assertNotEquals(first, second);
        assertEquals("netty", Files.readString(first.resolve(NETTY)));
        assertEquals("newer", Files.readString(second.resolve(NETTY)));
    }

    @Test
    void processesThatUnpackAtTheSameTime_haveOneFolder() throws Exception {
        List<Future<Optional<Path>>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 64; i++) {
                all.add(threads.submit(() -> cache().unpacked()));
            }
        }
        HashSet<Path> found = new HashSet<>();
        for (Future<Optional<Path>> each : all) {
            found.add(each.get().orElseThrow());
        }

        assertEquals(1, found.size(), found::toString);
        assertEquals(List.copyOf(found), all(folder));
    }

    @Test
    void platformWithoutALibrary_isNotUnpacked() {
        assertEquals(
                Optional.empty(), new NativeCache(folder, "linux-aarch64", in(jars)).unpacked());
        assertFalse(Files.exists(folder));
    }

    @Test
    void folderThatOthersCanWrite_isRefused() throws IOException {
        cache().unpacked();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> cache().unpacked());

        assertTrue(refused.getMessage().contains(folder.toString()), refused.getMessage());
        assertTrue(refused.getMessage().contains("muninn.native.cache"), refused.getMessage());
    }

    @Test
    void folderThatCannotBeMade_isNamedWithTheRemedy() throws IOException {
        Files.writeString(temporary.resolve("a"), "a file");

        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> cache().unpacked());

        assertTrue(refused.getMessage().contains(folder.toString()), refused.getMessage());
        assertTrue(refused.getMessage().contains("-Dmuninn.native.cache="), refused.getMessage());
    }

    @Test
    void folder_isTheUsersChoiceOrThatOfAllCachesOrAtHome() {
        String home = System.getProperty("user.home");

        assertEquals(Path.of("/x"), NativeCache.folder("/x", "/y"));
        assertEquals(Path.of("/y/muninn"), NativeCache.folder(null, "/y"));
        assertEquals(Path.of(home, ".cache", "muninn"), NativeCache.folder(null, ""));
        assertEquals(Path.of(home, ".cache", "muninn"), NativeCache.folder(null, null));
    }

    @Test
    void mountThatIsNearest_decidesWhetherLibrariesCanBeLoaded() {
        List<String> mounts =
                List.of(
                        "/dev/vda / ext4 rw,relatime 0 0",
                        "tmpfs /home/my\\040files tmpfs rw,noexec 0 0",
                        "tmpfs /home/my\\040files/fast tmpfs rw 0 0",
                        "tmpfs /over tmpfs rw 0 0",
                        "tmpfs /over tmpfs rw,nosuid,noexec 0 0");

        assertFalse(Mounts.isNoexec(Path.of("/home/my"), mounts));
        assertTrue(Mounts.isNoexec(Path.of("/home/my files/cache"), mounts));
        assertFalse(Mounts.isNoexec(Path.of("/home/my files/fast/cache"), mounts));
        assertTrue(Mounts.isNoexec(Path.of("/over/cache"), mounts));
    }

    /** Unpacks the files in one folder into another one, and prints where. */
    static final class Unpacks {
        public static void main(String[] folders) {
            NativeCache cache =
                    new NativeCache(Path.of(folders[0]), PLATFORM, in(Path.of(folders[1])));
            System.out.println(cache.unpacked().orElseThrow());
        }
    }

    @Test
    void noexecFolder_isNamed() throws IOException {
        assumeTrue(canMount(), "file systems are not ours to mount");
        Files.createDirectories(folder);
        String script = "mount -t tmpfs -o noexec,mode=700 tmpfs \"$0\" && exec \"$@\"";
        List<String> command = new ArrayList<>(inNamespace());
        command.addAll(List.of("sh", "-c", script, folder.toString()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:-UsePerfData", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Unpacks.class.getName(), folder.toString(), jars.toString()));
        try (Child child = Child.start(command)) {
            assertEquals(1, child.end(20_000));

            String errors = child.errors();
            assertTrue(errors.contains("cannot be loaded from " + folder), errors);
            assertTrue(errors.contains("mounted noexec"), errors);
            assertTrue(errors.contains("-Dmuninn.native.cache=FOLDER"), errors);
        }
    }

    private static List<String> inNamespace() {
        return List.of("unshare", "--user", "--map-root-user", "--mount");
    }

    private boolean canMount() {
        List<String> command = new ArrayList<>(inNamespace());
        command.addAll(List.of("mount", "-t", "tmpfs", "tmpfs", temporary.toString()));
        try (Child child = Child.start(command)) {
            return child.end(20_000) == 0;
        }
    }

    private static List<Path> all(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
