package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.PageAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory cost of the engine, and its remains. */
@Timeout(60)
@ParameterizedClass
@EnumSource(EngineKind.class)
class FootprintTest {
    private static final int PAGE = Pair.PAGE;
    private static final long LARGE_BYTES = 64L << 30;

    @Parameter private EngineKind kind;

    @Test
    void regionsOf64GiB_costWhatIsTouched() {
        try (Pair pair = Pair.start(kind, LARGE_BYTES)) {
            long last = LARGE_BYTES - PAGE;
            assertEquals(LARGE_BYTES, pair.engine.regionBytes());
            assertEquals(7, pair.engine.nodeId());
            assertEquals(pair.application.pid(), pair.engine.first().pid());
            pair.application.say("a put " + last + " 9");
            assertEquals(last, pair.fault().offset());
            pair.engine.touch(last, PAGE);
            pair.resolve(last, PageAccess.READ_WRITE);
            assertEquals("a stored", pair.application.line());

            assertEquals(9, pair.content(last));
            assertEquals(PAGE, pair.engine.allocatedBytes());
        }
    }

    @Test
    void twinsAndPagesThatEnd_giveTheirMemoryBack() {
        int pages = 4096;
        try (Pair pair = Pair.start(kind, (long) pages * PAGE)) {
            long[] twins = new long[pages];
            for (int page = 0; page < pages; page++) {
                pair.fill((long) page * PAGE, page);
                twins[page] = pair.engine.makeTwin((long) page * PAGE, PAGE);
            }
            long held = (long) pages * PAGE;
            assertEquals(held, pair.engine.allocatedBytes());
            assertEquals(held, pair.engine.twinBytes());
            assertTrue(pair.engine.twinSlabBytes() < held + (8 << 20));

            for (long twin : twins) {
                pair.engine.freeTwin(twin, PAGE);
            }
            pair.engine.discard(0, held);

            assertEquals(0, pair.engine.twinBytes());
            assertEquals(4 << 20, pair.engine.twinSlabBytes());
            assertEquals(0, pair.engine.allocatedBytes());
        }
    }

    @Test
    void killedProcesses_leaveNothingBehind(@TempDir Path temporary) throws IOException {
        List<String> flags = new ArrayList<>(Pair.QUICK);
        flags.addAll(List.of("-Djava.io.tmpdir=" + temporary, "-Duser.home=" + temporary));
        try (Pair pair = Pair.startJvm(kind, 16L * PAGE, flags)) {
            long pid = pair.application.pid();
            pair.application.say("a put 0 1");
            pair.fault();
            int protector = pair.engine.first().protectorPid();
            assertEquals(kind == EngineKind.MPROTECT_SIGNAL, runs(protector));

            pair.application.kill();
            pair.serveUntil(pair.commands::gone);
            pair.serveUntil(() -> !runs(protector));

            assertEquals(List.of(), names(temporary));
            assertFalse(
                    names(Path.of("/dev/shm")).stream()
                            .anyMatch(name -> name.contains("muninn") || name.contains("" + pid)));
            Path counters = Path.of("/tmp", "hsperfdata_" + System.getProperty("user.name"));
            assertFalse(Files.exists(counters.resolve("" + pid)));
        }
    }

    /** False for a process that has ended and is not reaped: it has no memory any more. */
    private static boolean runs(int pid) {
        try {
            String stat = Files.readString(Path.of("/proc", "" + pid, "stat"));
            return pid != 0 && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }
}
