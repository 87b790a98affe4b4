package io.muninn.nativefault;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The native libraries of the jars, unpacked once into a folder that later processes use, too. The
 * folder's name contains a digest of the libraries, so other versions have other folders, and a
 * folder is complete from the moment that it exists. It belongs to the user alone, because whoever
 * can write there runs code in the user's processes.
 */
final class NativeCache {
    /** System property with the folder to unpack into. */
    static final String PROPERTY = "muninn.native.cache";

    static final String FAULT_LIBRARY = "libdsmfault.so";
    static final String JNA_LIBRARY = "libjnidispatch.so";

    private static final String NETTY_LIBRARY = "libnetty_transport_native_epoll_";
    private static final String BASE_VARIABLE = "XDG_CACHE_HOME";
    private static final String NAME = "muninn";
    private static final String OWNER = "unix:uid";
    private static final Path SELF = Path.of("/proc/self");
    private static final int DIGEST_LENGTH = 16;
    private static final Set<PosixFilePermission> OF_OTHERS =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Path folder;
    private final String platform;
    private final Function<String, Optional<URL>> resources;

    /**
     * @param folder in which libraries are unpacked, each set into a folder of its own
     * @param platform its name in JNA, such as linux-x86-64
     * @param resources finds a file of a jar by its name
     */
    NativeCache(Path folder, String platform, Function<String, Optional<URL>> resources) {
        this.folder = folder;
        this.platform = platform;
        this.resources = resources;
    }

    /** The cache of this user, for the jars of this class path. */
    static NativeCache ofUser(String platform) {
        ClassLoader loader = NativeCache.class.getClassLoader();
        return new NativeCache(
                folder(System.getProperty(PROPERTY), System.getenv(BASE_VARIABLE)),
                platform,
                name -> Optional.ofNullable(loader.getResource(name)));
    }

    /**
     * The folder of the cache.
     *
     * @param property the user's choice, or null
     * @param base the folder for all caches of the user, or null
     * @throws IllegalStateException if neither is given, and the user has no home folder
     */
    static Path folder(@Nullable String property, @Nullable String base) {
        if (property != null) {
            return Path.of(property).toAbsolutePath();
        }
        if (base != null && !base.isEmpty()) {
            return Path.of(base).toAbsolutePath().resolve(NAME);
        }
        Path home = Path.of(System.getProperty("user.home"));
        if (!home.isAbsolute() || !Files.isDirectory(home)) {
            throw new IllegalStateException(
                    "this user has no home folder (user.home is "
                            + home
                            + ") to unpack native libraries into; name a folder with -D"
                            + PROPERTY
                            + "=FOLDER");
        }
        return home.resolve(".cache").resolve(NAME);
    }

    /**
     * Returns a folder with the libraries, after unpacking them if nobody has before.
     *
     * @return nothing if no jar has the fault engine's library for this platform
     * @throws IllegalStateException if the folder cannot be used; the text gives the remedy
     */
    Optional<Path> unpacked() {
        String ours = "META-INF/native/" + platform + "/" + FAULT_LIBRARY;
        if (resources.apply(ours).isEmpty()) {
            return Optional.empty();
        }
        try {
            Map<String, byte[]> libraries = new TreeMap<>();
            read(ours, FAULT_LIBRARY, libraries);
            read("com/sun/jna/" + platform + "/" + JNA_LIBRARY, JNA_LIBRARY, libraries);
            String netty = NETTY_LIBRARY + nettyPlatform() + ".so";
            read("META-INF/native/" + netty, netty, libraries);
            Path target = folder.resolve(platform + "-" + digest(libraries));
            if (!Files.isDirectory(target)) {
                unpack(libraries, target);
            }
            requireOwn(folder);
            requireOwn(target);
            Mounts.requireExecutable(target, PROPERTY);
            return Optional.of(target);
        } catch (IOException cannot) {
            throw new IllegalStateException(
                    "the native libraries cannot be unpacked into "
                            + folder
                            + " ("
                            + reason(cannot)
                            + "); name a folder that you can write to with -D"
                            + PROPERTY
                            + "=FOLDER",
                    cannot);
        }
    }

    private String nettyPlatform() {
        return platform.equals("linux-x86-64") ? "x86_64" : "aarch_64";
    }

    private void read(String resource, String name, Map<String, byte[]> libraries)
            throws IOException {
        Optional<URL> found = resources.apply(resource);
        if (found.isPresent()) {
            try (InputStream in = found.get().openStream()) {
                libraries.put(name, in.readAllBytes());
            }
        }
    }

    private static String digest(Map<String, byte[]> libraries) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            libraries.forEach((name, bytes) -> {
                digest.update((name + " " + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            });
            return HexFormat.of().formatHex(digest.digest()).substring(0, DIGEST_LENGTH);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** Unpacks beside the folder, and renames. Of several processes at a time, one renames. */
    private void unpack(Map<String, byte[]> libraries, Path target) throws IOException {
        var own =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        if (!Files.isDirectory(folder)) {
            Path parent = folder.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            try {
                Files.createDirectory(folder, own);
            } catch (FileAlreadyExistsException another) {
                requireOwn(folder); // of a process that unpacks at the same time
            }
        }
        requireOwn(folder);
        Path unfinished = folder.resolve("unfinished-" + UUID.randomUUID());
        Files.createDirectory(unfinished, own);
        try {
            for (Map.Entry<String, byte[]> library : libraries.entrySet()) {
                Files.write(unfinished.resolve(library.getKey()), library.getValue());
            }
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            for (String name : libraries.keySet()) {
                Files.deleteIfExists(unfinished.resolve(name));
            }
            Files.deleteIfExists(unfinished);
            if (!Files.isDirectory(target)) {
                throw failed;
            }
        }
    }

    private static void requireOwn(Path directory) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        permissions.retainAll(OF_OTHERS);
        Object owner = Files.getAttribute(directory, OWNER);
        if (!permissions.isEmpty() || !owner.equals(Files.getAttribute(SELF, OWNER))) {
            throw new IllegalStateException(
                    "native libraries are not loaded from "
                            + directory
                            + ", because other users can write there; remove it, or name another"
                            + " folder with -D"
                            + PROPERTY
                            + "=FOLDER");
        }
    }

    private static String reason(IOException cannot) {
        return cannot instanceof FileSystemException of && of.getReason() != null
                ? of.getReason()
                : cannot.getClass().getSimpleName();
    }
}
