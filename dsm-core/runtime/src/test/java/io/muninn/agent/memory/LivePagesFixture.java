package io.muninn.agent.memory;

import static io.muninn.model.MappingId.FIRST;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.AgentSocket;
import io.muninn.nativefault.CommandSink;
import io.muninn.nativefault.EngineKind;
import io.muninn.nativefault.FaultEngine;
import io.muninn.nativefault.Gate;
import io.muninn.nativefault.TrappedProcess;
import io.muninn.spi.Event;
import io.muninn.wire.Payload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/**
 * Pages over a real fault engine, whose application is a separate process that executes the test's
 * commands ({@link PageThreads}).
 */
abstract class LivePagesFixture {
    static final int PAGE = RegionSpec.MACHINE_PAGE_BYTES;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Sixteen pages of one machine page each. */
    private static final RegionSpec SMALL = region(0, 0, 16, 1);

    /** Four pages of four machine pages each, after the small ones. */
    static final RegionSpec LARGE = region(1, 16 * PAGE, 4, 4);

    /** So many that with every second one accessible an application has too few mappings. */
    static final RegionSpec MANY =
            region(2, LARGE.offset() + LARGE.bytes(), mappingsMax() / 2 + 1024, 1);

    /** Above this limit the pages of the test would need too much memory for a test. */
    static final int MAPPINGS_MAX = 1 << 18;

    private record Fault(PageId page, FaultKind kind) {}

    final Arena arena = Arena.ofConfined();
    private final byte[] token = new byte[32];
    private final ArrayDeque<Fault> faults = new ArrayDeque<>();
    final List<Event> events = new ArrayList<>();
    final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    @Parameter EngineKind kind;
    private AgentSocket socket;
    private Process application;
    PrintStream commands;
    FaultEngine engine;
    LivePages pages;

    /** False while replies of the application's command thread are left unread. */
    boolean hearsReplies = true;

    private static RegionSpec region(int index, long offset, int pages, int unitPages) {
        long bytes = (long) pages * unitPages * PAGE;
        return new RegionSpec(
                index,
                "region" + index,
                Protocol.WRITE_SHARED,
                offset,
                bytes,
                Long.BYTES,
                unitPages,
                List.of(new VariableSpec("region" + index, "long", 0, bytes)));
    }

    /** Read at once: a second read of such a file returns nothing. */
    static int mappingsMax() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/sys/vm/max_map_count"))) {
            return Math.min(MAPPINGS_MAX, Integer.parseInt(lines.findFirst().orElseThrow()));
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    @BeforeEach
    void attach() throws IOException {
        String name = "muninn-pages-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        socket = AgentSocket.listen(name);
        long bytes = MANY.offset() + MANY.bytes();
        ProcessBuilder builder = PageThreads.process(kind, name, token, bytes);
        builder.environment().put(Gate.VARIABLE, "1");
        application = builder.start();
        commands = new PrintStream(application.getOutputStream(), true, StandardCharsets.US_ASCII);
        Thread.ofPlatform().daemon().start(this::readLines);
        engine = until("an application", () -> socket.accept(token).map(TrappedProcess::engine));
        pages = new LivePages(FIRST, engine, events::add, () -> {}, (_, _, _) -> {});
        for (RegionSpec region : List.of(SMALL, LARGE, MANY)) {
            pages.add(region, ProtocolKind.of(region.protocol()).traits());
        }
    }

    private void readLines() {
        try (BufferedReader reader = application.inputReader(StandardCharsets.US_ASCII)) {
            reader.lines().skip(1).forEach(lines::add); // it has attached
        } catch (IOException | UncheckedIOException killed) {
            lines.add("end");
        }
    }

    @AfterEach
    void kill() throws InterruptedException {
        application.destroyForcibly().waitFor();
        engine.close();
        socket.close();
        arena.close();
    }

    /** Serves the engine until a result is found. */
    <T> T until(String what, Supplier<Optional<T>> found) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < deadline) {
            Optional<T> now = found.get();
            if (now.isPresent()) {
                return now.get();
            }
            if (engine != null) {
                serve();
            }
            PageThreads.pause();
        }
        throw new AssertionError("waited in vain for " + what);
    }

    private void serve() {
        engine.readFaults(
                MappingId.FIRST,
                (of, offset, kind, _) ->
                        faults.add(
                                new Fault(
                                        pages.faulted(of, offset, kind, -1, System.nanoTime()),
                                        kind)));
        if (!hearsReplies) {
            return;
        }
        engine.first()
                .onCommandReadable(
                        new CommandSink() {
                            @Override
                            public void onPong(long sequence) {
                                throw new AssertionError("nobody asked");
                            }

                            @Override
                            public void onDropped(long sequence, long offset, long bytes) {
                                pages.onWithdrawn(MappingId.FIRST);
                            }

                            @Override
                            public void onApplicationGone() {
                                throw new AssertionError("the application has ended");
                            }
                        });
    }

    static PageId small(int index) {
        return new PageId(0, index);
    }

    static PageId large(int index) {
        return new PageId(1, index);
    }

    static PageId many(int index) {
        return new PageId(2, index);
    }

    private static RegionSpec spec(PageId page) {
        return List.of(SMALL, LARGE, MANY).get(page.region());
    }

    static long offset(PageId page) {
        return spec(page).offset() + (long) page.index() * spec(page).pageBytes();
    }

    void load(PageId page, int word) {
        commands.println(PageThreads.load(offset(page) + word * 8L));
    }

    void store(PageId page, int word, long value) {
        commands.println(PageThreads.store(offset(page) + word * 8L, value));
    }

    void expectFault(PageId page, FaultKind kind) {
        Fault next = until("a fault", () -> Optional.ofNullable(faults.poll()));
        assertEquals(new Fault(page, kind), next);
    }

    /** Awaits the end of the next access, identified by its word. */
    void expectOver(PageId page, int word, String outcome) {
        String line = until("an access to end", () -> Optional.ofNullable(lines.poll()));
        assertEquals((offset(page) + word * 8L) + " " + outcome, line);
        assertTrue(faults.isEmpty(), () -> "it faulted on the way: " + faults);
    }

    Payload.Received image(PageId page, long fill) {
        int bytes = spec(page).pageBytes();
        MemorySegment image = arena.allocate(bytes, Long.BYTES);
        for (int at = 0; at < bytes; at += 8) {
            image.set(JAVA_LONG, at, fill + at / 8);
        }
        return new Payload.Received(image, false);
    }

    Payload.Received zeros() {
        return new Payload.Received(MemorySegment.NULL, true);
    }

    long word(MemorySegment bytes, int word) {
        return bytes.get(JAVA_LONG, word * 8L);
    }

    /** Faults a page in with this content and access, as the answer to a load. */
    void bringIn(PageId page, long fill, PageAccess access) {
        load(page, 0);
        expectFault(page, FaultKind.READ);
        pages.install(FIRST, page, image(page, fill), access);
        pages.resume(FIRST, page, access);
        expectOver(page, 0, Long.toString(fill));
    }

    /** A load of a page whose content is present: its fault needs only access. */
    void faultOnceAndLoad(PageId page, int word, long expected) {
        load(page, word);
        expectFault(page, FaultKind.READ);
        pages.resume(FIRST, page, PageAccess.READ);
        expectOver(page, word, Long.toString(expected));
    }

    /** A store to a page that is readable. */
    void upgrade(PageId page, int word, long value) {
        store(page, word, value);
        expectFault(page, FaultKind.UPGRADE);
        pages.resume(FIRST, page, PageAccess.READ_WRITE);
        expectOver(page, word, "stored");
    }
}
