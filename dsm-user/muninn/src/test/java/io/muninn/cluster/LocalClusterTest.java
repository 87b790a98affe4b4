package io.muninn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LocalCluster;
import io.muninn.api.LongArray;
import io.muninn.api.NodeLostException;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters of real processes, started from this JVM with its class path. */
@Timeout(120)
class LocalClusterTest {
    @TempDir private Path folder;
    private Path output;

    @BeforeEach
    void setUp() {
        output = folder.resolve("output");
    }

    /** The processes of a run end with it; their parents may read their status some time later. */
    @AfterEach
    void noProcessIsLeft() throws Exception {
        for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
            process.onExit().get(10, TimeUnit.SECONDS);
        }
    }

    private LocalCluster cluster(int nodes) {
        return LocalCluster.of(nodes).output(output);
    }

    /** Each thread counts itself, and prints who it is. */
    static final class Census implements DsmProgram {
        @Shared(Protocol.MIGRATORY)
        private final LongArray count = LongArray.of(1);

        private final String[] words;

        Census(String[] words) {
            if (words.length > 1) {
                throw new IllegalArgumentException("one word at most, not " + words.length);
            }
            this.words = words;
        }

        @Override
        public void run(DsmNode node) {
            System.out.println(ProcessHandle.current().pid() + " " + System.getProperty("my.word"));
            node.lock("count").lock();
            try {
                count.set(0, count.get(0) + 1);
            } finally {
                node.lock("count").unlock();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            String text = String.join(" ", words) + count.get(0);
            return count.get(0) == 4 ? Verdict.right(text) : Verdict.wrong(text);
        }
    }

    @Test
    void program_runsInProcessesOfTheirOwn() throws IOException {
        Verdict verdict =
                cluster(2)
                        .options("--threads", "2", "--jvm-option", "-Dmy.word=told")
                        .run(Census.class, "of all: ");

        assertEquals(Verdict.right("of all: 4"), verdict);
        List<String> lines = Files.readAllLines(output);
        List<String> said = lines.stream().filter(line -> line.endsWith(" told")).toList();
        assertEquals(4, said.size(), lines::toString);
        List<String> processes = said.stream().map(line -> line.split(" ")[0]).distinct().toList();
        assertEquals(2, processes.size(), lines::toString);
        assertFalse(processes.contains(Long.toString(ProcessHandle.current().pid())));
        assertTrue(lines.contains("verified: of all: 4"), lines::toString);
    }

    @Test
    void whatIsWrong_isToldBeforeAnythingStarts() {
        DsmProgram local =
                new DsmProgram() {
                    @Override
                    public void run(DsmNode node) {}
                };
        Map<String, LocalCluster> clusters =
                Map.of(
                        "-n 0 is outside the range", cluster(0),
                        "unknown option '--treads'", cluster(2).options("--treads", "2"),
                        "--threads 0 is outside", cluster(2).options("--threads", "0"));
        clusters.forEach((text, cluster) -> assertTells(text, cluster, Census.class));
        assertTells("declare a program as a class of its own", cluster(2), local.getClass());
        assertTells("is an inner class", cluster(2), Inner.class);
        assertFalse(Files.exists(output) && output.toFile().length() > 0);
    }

    private static void assertTells(
            String text, LocalCluster cluster, Class<? extends DsmProgram> program) {
        IllegalArgumentException told =
                assertThrows(IllegalArgumentException.class, () -> cluster.run(program));
        assertTrue(told.getMessage().contains(text), told.getMessage());
    }

    /** Needs an object of the test. */
    final class Inner implements DsmProgram {
        @Override
        public void run(DsmNode node) {}
    }

    /** Ends as its option says. */
    static final class Ends implements DsmProgram {
        private final List<String> how;

        Ends(List<String> how) {
            this.how = how;
        }

        @Override
        public void run(DsmNode node) {
            if (node.id() == 1 && how.contains("throw")) {
                throw new IllegalStateException("no luck");
            }
            if (node.id() == 1 && how.contains("halt")) {
                Runtime.getRuntime().halt(7);
            }
            if (node.id() == 1 && how.contains("start")) {
                Dsm.run(Census.class, 2);
            }
            if (how.contains("wait")) {
                System.out.println("waits");
                node.barrier("never", node.nodes() + 1).await();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            return how.contains("wrong") ? Verdict.wrong("as asked") : Verdict.unchecked();
        }
    }

    @Tag("slow")
    @Test
    void verdictOfTheProgram_isReturned() {
        assertEquals(Verdict.unchecked(), cluster(2).run(Ends.class));
        assertEquals(Verdict.wrong("as asked"), cluster(2).run(Ends.class, "wrong"));
    }

    @Tag("slow")
    @Test
    void programThatFails_isAnExceptionWithItsReason() throws IOException {
        DsmException failed =
                assertThrows(DsmException.class, () -> cluster(2).run(Ends.class, "throw"));

        assertTrue(
                failed.getMessage().contains("IllegalStateException: no luck"), failed::toString);
        assertTrue(failed.getMessage().contains("node 1"), failed::toString);
        assertTrue(Files.readString(output).contains("at io.muninn.cluster.LocalClusterTest$Ends"));
    }

    @Tag("slow")
    @Test
    void applicationThatDies_isALostNode() {
        NodeLostException lost =
                assertThrows(NodeLostException.class, () -> cluster(2).run(Ends.class, "halt"));

        assertEquals(1, lost.node());
    }

    @Tag("slow")
    @Test
    void optionsThatTheProgramRefuses_areToldInItsWords() throws IOException {
        assertThrows(IllegalArgumentException.class, () -> cluster(2).run(Census.class, "a", "b"));
        assertTrue(Files.readString(output).contains("one word at most, not 2"));
    }

    @Tag("slow")
    @Test
    void nodeOfACluster_startsNoOther() {
        DsmException refused =
                assertThrows(DsmException.class, () -> cluster(2).run(Ends.class, "start"));

        assertTrue(refused.getMessage().contains("is a node of a cluster"), refused::toString);
    }

    @Tag("slow")
    @Test
    void interruptedCaller_endsTheRun() throws Exception {
        try (ExecutorService caller = Executors.newSingleThreadExecutor()) {
            Future<Verdict> run = caller.submit(() -> cluster(2).run(Ends.class, "wait"));
            while (!Files.exists(output) || !Files.readString(output).contains("waits")) {
                Thread.sleep(10); // between two looks at what another process does
            }
            caller.shutdownNow();
            Exception told = assertThrows(Exception.class, run::get);
            assertTrue(told.getMessage().contains("was interrupted"), told::toString);
        }
    }

    @Tag("slow")
    @Test
    void clustersOfSeveralThreads_runAtTheSameTime() throws Exception {
        List<Future<Verdict>> runs = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            for (int i = 0; i < 3; i++) {
                LocalCluster cluster = LocalCluster.of(2).output(folder.resolve("output" + i));
                runs.add(
                        threads.submit(
                                () -> cluster.options("--threads", "2").run(Census.class, "n")));
            }
        }
        for (Future<Verdict> run : runs) {
            assertEquals(Verdict.right("n4"), run.get());
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(3, files.count());
        }
    }
}
