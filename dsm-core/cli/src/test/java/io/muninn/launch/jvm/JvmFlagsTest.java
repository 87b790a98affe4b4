package io.muninn.launch.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.launch.Main;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
    @Test
    void agent_runsOnThisJdkWithTheFlagsOfTheFile() {
        List<String> command = JvmFlags.agent(List.of("--id=0"));

        assertTrue(Files.isExecutable(Path.of(command.getFirst())), command.getFirst());
        assertTrue(command.containsAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData")));
        assertEquals(
                List.of(LaunchedAgent.class.getName(), "--id=0"),
                command.subList(command.size() - 2, command.size()));
    }

    @Test
    void plainAgent_hasTheNeededFlagsAlone() {
        List<String> all = JvmFlags.agent(List.of("--id=0"));
        List<String> plain = JvmFlags.plainAgent(List.of("--id=0"));

        assertTrue(all.containsAll(plain));
        assertTrue(plain.containsAll(List.of("-XX:-UsePerfData", "--id=0")));
        assertTrue(
                plain.stream().noneMatch(flag -> flag.matches("-X(m|s|X:.*(GC|Tier|Compile)).*")));
    }

    @Test
    void agentOfSeveralNodes_hasALargerHeap() {
        List<String> one = JvmFlags.agent(List.of("--id=0"));
        List<String> four = new ArrayList<>(JvmFlags.withRoomFor(4, one));

        assertEquals(one, JvmFlags.withRoomFor(1, one));
        assertTrue(four.indexOf("-Xms192m") > four.indexOf("-Xms96m"), four::toString);
        assertTrue(four.removeAll(List.of("-Xms192m", "-Xmn28m")));
        assertEquals(one, four);
    }

    @Test
    void agentWithoutC2_differsByOneFlag() {
        List<String> all = JvmFlags.agent(List.of("--id=0"));
        List<String> less = new ArrayList<>(JvmFlags.withoutC2(all));

        assertTrue(less.remove("-XX:TieredStopAtLevel=1"));
        assertEquals(all, less);
    }

    @Test
    void jvmThatBecomesAnAgent_compilesAsAnAgent() {
        List<String> launcher = new ArrayList<>(JvmFlags.command(List.of("run")));
        List<String> agent = JvmFlags.command(List.of("node"));
        List<String> unfinished = JvmFlags.command(List.of());

        assertTrue(launcher.remove("-XX:TieredStopAtLevel=1"));
        assertEquals(unfinished, launcher.subList(0, launcher.size() - 1));
        assertEquals(unfinished, agent.subList(0, agent.size() - 1));
    }

    @Test
    void launcher_isNamedAsItsClass() {
        assertEquals(Main.class.getName(), JvmFlags.LAUNCHER);
    }

    @Test
    void agentFlags_areFlagsWithoutCommentsOrBlanks() {
        assertTrue(JvmFlags.agentFlags().size() > 3);
        for (String flag : JvmFlags.agentFlags()) {
            assertTrue(flag.matches("-\\S+"), flag);
        }
    }

    @Test
    void application_hasTheUsersFlagsAfterOurs() {
        List<String> command =
                JvmFlags.application(
                        Optional.empty(),
                        List.of("-Xmx1g", "-XX:+UsePerfData"),
                        List.of(),
                        List.of("diff", "--rows", "8"));

        assertTrue(command.indexOf("-XX:+UsePerfData") > command.indexOf("-XX:-UsePerfData"));
        assertTrue(command.indexOf("-Xmx1g") < command.indexOf("-cp"));
        assertEquals(
                List.of("diff", "--rows", "8"),
                command.subList(command.size() - 3, command.size()));
    }

    @Test
    void classPathOfTheUser_followsOurs() {
        List<String> command =
                JvmFlags.application(
                        Optional.empty(),
                        List.of(),
                        List.of(Path.of("/a.jar"), Path.of("/b")),
                        List.of("--class", "X"));

        String classPath = command.get(command.indexOf("-cp") + 1);

        assertTrue(classPath.endsWith(":/a.jar:/b"), classPath);
    }

    @Test
    void application_hasWhatItAttachesWithAndNothingElse() {
        List<String> command =
                JvmFlags.application(Optional.empty(), List.of(), List.of(), List.of("x"));

        List<String> entries = List.of(command.get(command.indexOf("-cp") + 1).split(":"));
        List<String> ours = List.of(System.getProperty("java.class.path").split(":"));

        assertTrue(ours.containsAll(entries), entries::toString);
        assertEquals(1, entries.stream().filter(entry -> entry.contains("/jna-")).count());
        for (String library : List.of("netty", "picocli", "gson", "micrometer")) {
            assertTrue(ours.stream().anyMatch(entry -> entry.contains(library)), library);
            assertTrue(entries.stream().noneMatch(entry -> entry.contains(library)), library);
        }
    }

    /** As a class from a cache whose jar has moved: its code source has no location. */
    @Test
    void classesWithoutALocation_areFoundOnTheClassPath() throws Exception {
        try (NoLocation loader = new NoLocation()) {
            Class<?> type = loader.loadClass(JvmFlags.class.getName());
            assertNull(type.getProtectionDomain().getCodeSource().getLocation());
            Method method = type.getDeclaredMethod("applicationClassPath", Optional.class);
            method.setAccessible(true);

            assertEquals(
                    JvmFlags.applicationClassPath(Optional.empty()),
                    method.invoke(null, Optional.empty()));
        }
    }

    /** Defines the project's classes anew, without a protection domain. */
    private static final class NoLocation extends URLClassLoader {
        NoLocation() {
            super(new URL[0], JvmFlagsTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.muninn.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException cause) {
                throw new ClassNotFoundException(name, cause);
            }
        }
    }

    @Test
    void folderOfNativeLibraries_passesFromParentToChild() {
        String before = System.getProperty("muninn.native");
        System.setProperty("muninn.native", "/natives");
        try {
            List<String> expected =
                    List.of(
                            "-Dmuninn.native=/natives",
                            "-Djava.library.path=/natives",
                            "-Djna.boot.library.path=/natives",
                            "-Djna.nounpack=true");

            assertTrue(JvmFlags.agent(List.of()).containsAll(expected));
            assertTrue(
                    JvmFlags.application(Optional.empty(), List.of(), List.of(), List.of("x"))
                            .containsAll(expected));
        } finally {
            if (before == null) {
                System.clearProperty("muninn.native");
            } else {
                System.setProperty("muninn.native", before);
            }
        }
    }
}
