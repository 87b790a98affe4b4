package io.muninn.api.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Cluster;
import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.api.single.SingleNodeProvider;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The runner over a session that has threads, a clock and guards of its own. */
class ProgramRunnerTest {
    /** Records the used range and its region. */
    private record Noting(String region, List<String> notes) implements AccessGuard {
        @Override
        public void load(long offset, long bytes) {
            notes.add("load " + region + " " + offset + " " + bytes);
        }

        @Override
        public void store(long offset, long bytes) {
            notes.add("store " + region + " " + offset + " " + bytes);
        }

        @Override
        public MemorySegment lend(MemorySegment part, long offset, Mode mode) {
            notes.add("lend " + region + " " + offset + " " + part.byteSize());
            return part;
        }
    }

    /** A thread that runs on the thread that joins it, at the join. */
    private static final class Late implements ApplicationThread {
        private final int thread;
        private final Runnable body;
        private final List<String> notes;

        Late(int thread, Runnable body, List<String> notes) {
            this.thread = thread;
            this.body = body;
            this.notes = notes;
        }

        @Override
        public void join() {
            notes.add("join " + thread);
            body.run();
        }

        @Override
        public void join(long limitNanos) {
            notes.add("join " + thread + " for " + limitNanos);
        }
    }

    private static class Simulated implements DsmSession {
        final List<String> notes = new ArrayList<>();
        private final DsmSession inner;
        private long nowNanos = 5;

        Simulated(Layout layout) {
            this.inner = new SingleNodeProvider(3).attach(layout);
        }

        @Override
        public ApplicationThread start(int thread, Runnable body) {
            notes.add("start " + thread);
            return new Late(thread, body, notes);
        }

        @Override
        public long nowNanos() {
            nowNanos += 400_000_000;
            return nowNanos;
        }

        @Override
        public int nodeId() {
            return 0;
        }

        @Override
        public int nodes() {
            return 1;
        }

        @Override
        public int threads() {
            return 3;
        }

        @Override
        public Layout layout() {
            return inner.layout();
        }

        @Override
        public MemorySegment segment(RegionSpec region) {
            return inner.segment(region);
        }

        @Override
        public RemoteAccess remote(RegionSpec remote) {
            return inner.remote(remote);
        }

        @Override
        public DsmNode node(int thread) {
            return inner.node(thread);
        }

        @Override
        public void initialized() {
            inner.initialized();
        }

        @Override
        public void threadEnds(int thread) {
            notes.add("end " + thread);
        }

        @Override
        public void finished() {
            notes.add("finished");
        }

        @Override
        public void close(Verdict verdict) {
            notes.add("close");
        }

        @Override
        public void failed(Throwable cause) {
            notes.add("failed " + cause.getMessage());
        }
    }

    private static final class Provider implements DsmProvider {
        private List<String> notes = List.of();

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public Cluster cluster() {
            return new Cluster(1, 3);
        }

        @Override
        public DsmSession attach(Layout declared) {
            Simulated session = new Simulated(declared);
            notes = session.notes;
            return session;
        }
    }

    @Test
    void threads_areStartedAndJoinedByTheSession() {
        Provider provider = new Provider();
        List<Thread> seen = new ArrayList<>();

        ProgramRunner.run(
                node -> {
                    seen.add(Thread.currentThread());
                    provider.notes.add("run " + node.thread());
                },
                provider);

        assertEquals(
                List.of(
                        "start 1", "start 2", "run 0", "end 0", "join 1", "run 1", "end 1",
                        "join 2", "run 2", "end 2", "close"),
                provider.notes);
        assertEquals(
                List.of(Thread.currentThread(), Thread.currentThread(), Thread.currentThread()),
                seen);
    }

    @Test
    void graceAfterAFailure_isASecondOfTheSessionsClockForAllThreadsTogether() {
        Provider provider = new Provider();
        IllegalStateException thrown = new IllegalStateException("disk gone");
        DsmProgram failing =
                _ -> {
                    throw thrown;
                };

        assertSame(
                thrown,
                assertThrows(
                        IllegalStateException.class, () -> ProgramRunner.run(failing, provider)));

        assertEquals(
                List.of(
                        "start 1",
                        "start 2",
                        "failed disk gone",
                        "join 1 for 600000000",
                        "join 2 for 200000000"),
                provider.notes);
    }

    /** Programs are compiled without our nullness checks. */
    @Test
    void verifyThatReturnsNull_isASentence() {
        DsmProgram careless =
                new DsmProgram() {
                    @Override
                    public void run(DsmNode node) {}

                    @Override
                    public Verdict verify(DsmNode root) {
                        return null;
                    }
                };

        DsmException thrown =
                assertThrows(DsmException.class, () -> ProgramRunner.run(careless, new Provider()));

        assertEquals(
                "verify of "
                        + careless.getClass().getName()
                        + " returned null; return Verdict.unchecked() if it checks nothing",
                thrown.getMessage());
        assertEquals(0, thrown.getStackTrace().length);
    }

    private static final class Program {
        @Shared(packed = true)
        private final IntArray flag = IntArray.of(3);

        @Shared(packed = true)
        private final LongArray counter = LongArray.of(2);

        @Shared(Protocol.WRITE_SHARED)
        private final LongArray grid = LongArray.of(600);
    }

    @Test
    @EnabledIfSystemProperty(named = "muninn.simulated", matches = "true")
    void views_areBoundWithTheGuardOfTheirRegion() {
        Program program = new Program();
        Layouts.Declared declared = Layouts.of(program);
        Simulated session =
                new Simulated(declared.layout()) {
                    @Override
                    public Optional<AccessGuard> guard(RegionSpec region) {
                        return Optional.of(new Noting(region.name(), notes));
                    }
                };

        declared.bind(session);
        program.counter.get(1);
        program.flag.set(2, 1);
        program.flag.segment(1, 3, Mode.READ);
        program.grid.set(599, 1);

        assertEquals(
                List.of(
                        "load packed/CONVENTIONAL/1 8 8",
                        "store packed/CONVENTIONAL/1 24 4",
                        "load packed/CONVENTIONAL/1 20 8",
                        "lend packed/CONVENTIONAL/1 20 8",
                        "store grid 4792 8"),
                session.notes);
    }
}
