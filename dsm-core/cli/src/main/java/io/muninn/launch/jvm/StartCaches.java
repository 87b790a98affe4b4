package io.muninn.launch.jvm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ahead-of-time caches from which the JVMs of a run start. A cache contains loaded and linked
 * classes. Launchers, agents and applications have a cache each, because a JVM reads all of its
 * cache, needed or not. {@code StartTraining}, a step of the build, makes the caches.
 *
 * <p>A cache is optional. The JVM uses it only if JDK and flags fit, and {@code ./dsm} passes it on
 * only if the jars are unchanged; without it, a run starts more slowly.
 */
public final class StartCaches {
    /** System property with the folder; each process passes it to its children. */
    static final String PROPERTY = "muninn.start";

    public static final String LAUNCHERS = "launchers.aot";
    public static final String AGENTS = "agents.aot";
    public static final String APPLICATIONS = "applications.aot";

    /** Options of the JVM that exclude a cache. */
    private static final List<String> EXCLUSIVE =
            List.of(
                    "-Xshare",
                    "-XX:AOT",
                    "-XX:SharedArchiveFile",
                    "-XX:SharedClassListFile",
                    "-XX:ArchiveClassesAtExit",
                    "-XX:+AutoCreateSharedArchive",
                    "-XX:DumpLoadedClassList",
                    "-XX:+UseZGC",
                    "-XX:-UseCompressedOops",
                    "-XX:+UseCompactObjectHeaders");

    private StartCaches() {}

    /** Starts later JVMs without caches. */
    public static void leaveOut() {
        System.clearProperty(PROPERTY);
    }

    /**
     * Returns the flags of a launcher or an agent.
     *
     * @param cache {@link #LAUNCHERS} or {@link #AGENTS}
     */
    static List<String> flagsOfOurs(String cache) {
        List<String> flags = new ArrayList<>(passed());
        flags.addAll(use(cache));
        return flags;
    }

    /**
     * Returns the flags of an application.
     *
     * @param others all other flags of its JVM
     */
    static List<String> applicationFlags(List<String> others) {
        boolean fits =
                others.stream().noneMatch(flag -> EXCLUSIVE.stream().anyMatch(flag::startsWith));
        return fits ? use(APPLICATIONS) : List.of();
    }

    private static List<String> passed() {
        return folder().map(folder -> List.of("-D" + PROPERTY + "=" + folder)).orElse(List.of());
    }

    private static List<String> use(String name) {
        return folder().map(folder -> Path.of(folder, name))
                .filter(Files::isReadable)
                .map(StartCaches::flags)
                .orElse(List.of());
    }

    /**
     * Returns the flags that use a cache, without warnings if it does not fit. It is used as an
     * archive of classes: an {@code AOTCache} would start a thread that searches it for profiles,
     * which it does not have, whenever a class is initialized.
     */
    private static List<String> flags(Path cache) {
        return List.of("-XX:SharedArchiveFile=" + cache, "-Xlog:aot=off", "-Xlog:cds=off");
    }

    private static Optional<String> folder() {
        return Optional.ofNullable(System.getProperty(PROPERTY));
    }
}
