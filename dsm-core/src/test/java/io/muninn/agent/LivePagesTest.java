package io.muninn.agent;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.model.FaultKind;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.AgentSocket;
import io.muninn.nativefault.CommandSink;
import io.muninn.nativefault.EngineKind;
import io.muninn.nativefault.FaultEngine;
import io.muninn.protocol.Event;
import io.muninn.wire.MalformedMessageException;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages over a real fault engine, whose application is a process of its own. */
@ParameterizedClass
@EnumSource(names = {"UFFD_EVENT", "MPROTECT_SIGNAL"})
class LivePagesTest {
    private static final int PAGE = RegionSpec.MACHINE_PAGE_BYTES;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Sixteen pages of one machine page each. */
    private static final RegionSpec SMALL = region(0, 0, 16, 1);

    /** Four pages of four machine pages each, behind the small ones. */
    private static final RegionSpec LARGE = region(1, 16 * PAGE, 4, 4);

    /** So many that, of every second one accessible, an application has not enough mappings. */
    private static final RegionSpec MANY =
            region(2, LARGE.offset() + LARGE.bytes(), mappingsMax() / 2 + 1024, 1);

    /** Above it, the pages of the test would need more memory than a test should take. */
    private static final int MAPPINGS_MAX = 1 << 18;

    private record Fault(PageId page, FaultKind kind) {}

    private final Arena arena = Arena.ofConfined();
    private final byte[] token = new byte[32];
    private final ArrayDeque<Fault> faults = new ArrayDeque<>();
    private final List<Event> events = new ArrayList<>();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    @Parameter private EngineKind kind;
    private AgentSocket socket;
    private Process application;
    private PrintStream commands;
    private FaultEngine engine;
    private LivePages pages;

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

    /** In one piece: a second read of such a file gives nothing. */
    private static int mappingsMax() {
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
        application =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-Dmuninn.engine=" + kind.word(),
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                PageThreads.class.getName(),
                                name,
                                HexFormat.of().formatHex(token),
                                Long.toString(MANY.offset() + MANY.bytes()),
                                Integer.toString(PAGE))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        commands = new PrintStream(application.getOutputStream(), true, StandardCharsets.US_ASCII);
        Thread.ofPlatform().daemon().start(this::readLines);
        engine = until("an application", () -> socket.accept(token));
        pages = new LivePages(engine, events::add, () -> {}, (_, _, _) -> {});
        pages.add(SMALL);
        pages.add(LARGE);
        pages.add(MANY);
    }

    private void readLines() {
        try (BufferedReader reader = application.inputReader(StandardCharsets.US_ASCII)) {
            reader.lines().forEach(lines::add);
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

    /** Serves the engine until there is something. */
    private <T> T until(String what, Supplier<Optional<T>> found) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < deadline) {
            Optional<T> now = found.get();
            if (now.isPresent()) {
                return now.get();
            }
            if (engine != null) {
                serve();
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("waited in vain for " + what);
    }

    private void serve() {
        engine.readFaults((offset, kind) ->
                faults.add(new Fault(pages.faulted(offset, kind, System.nanoTime()), kind)));
        engine.onCommandReadable(
                new CommandSink() {
                    @Override
                    public void onPong(long sequence) {
                        throw new AssertionError("nobody asked");
                    }

                    @Override
                    public void onDropped(long sequence, long offset, long bytes) {
                        pages.onWithdrawn();
                    }

                    @Override
                    public void onApplicationGone() {
                        throw new AssertionError("the application has ended");
                    }
                });
    }

    private static PageId small(int index) {
        return new PageId(0, index);
    }

    private static PageId large(int index) {
        return new PageId(1, index);
    }

    private static long offset(PageId page) {
        return page.region() == 0
                ? (long) page.index() * PAGE
                : LARGE.offset() + (long) page.index() * LARGE.pageBytes();
    }

    private void load(PageId page, int word) {
        commands.println("get " + (offset(page) + word * 8L));
    }

    private void store(PageId page, int word, long value) {
        commands.println("set " + (offset(page) + word * 8L) + " " + value);
    }

    private void expectFault(PageId page, FaultKind kind) {
        Fault next = until("a fault", () -> Optional.ofNullable(faults.poll()));
        assertEquals(new Fault(page, kind), next);
    }

    /** The next access that is over, by the word it was about. */
    private void expectOver(PageId page, int word, String outcome) {
        String line = until("an access to end", () -> Optional.ofNullable(lines.poll()));
        assertEquals((offset(page) + word * 8L) + " " + outcome, line);
        assertTrue(faults.isEmpty(), () -> "it faulted on the way: " + faults);
    }

    private Payload.Received image(PageId page, long fill) {
        int bytes = page.region() == 0 ? SMALL.pageBytes() : LARGE.pageBytes();
        MemorySegment image = arena.allocate(bytes, Long.BYTES);
        for (int at = 0; at < bytes; at += 8) {
            image.set(JAVA_LONG, at, fill + at / 8);
        }
        return new Payload.Received(image, false);
    }

    private Payload.Received zeros() {
        return new Payload.Received(MemorySegment.NULL, true);
    }

    private long word(MemorySegment bytes, int word) {
        return bytes.get(JAVA_LONG, word * 8L);
    }

    /** Faults a page in with this content and access, as the answer to a load. */
    private void bringIn(PageId page, long fill, PageAccess access) {
        load(page, 0);
        expectFault(page, FaultKind.READ);
        pages.install(page, image(page, fill), access);
        pages.resume(page, access);
        expectOver(page, 0, Long.toString(fill));
    }

    @Test
    void installedPage_isReadableAndAStoreIsAnUpgrade() {
        bringIn(small(3), 100, PageAccess.READ);

        load(small(3), 5);
        expectOver(small(3), 5, "105");
        store(small(3), 5, 7);
        expectFault(small(3), FaultKind.UPGRADE);
        pages.resume(small(3), PageAccess.READ_WRITE);
        expectOver(small(3), 5, "stored");
        assertEquals(7, word(pages.bytes(new Payload.PageImage(small(3))), 5));
    }

    @Test
    void installOverContent_replacesItAndFaultsMeanwhile() {
        bringIn(small(0), 1000, PageAccess.READ_WRITE);

        pages.install(small(0), image(small(0), 2000), PageAccess.NONE);

        load(small(0), 1);
        expectFault(small(0), FaultKind.READ);
        pages.resume(small(0), PageAccess.READ);
        expectOver(small(0), 1, "2001");
    }

    /** Neighbours, one of zeros and one with content among them, and pages of another size. */
    @Test
    void imagesOfManyPages_areInstalledTogetherWithoutAccess() {
        bringIn(small(4), 1000, PageAccess.READ_WRITE);
        List<PageId> several = List.of(small(3), small(4), small(5), small(6), large(1));

        pages.install(
                several,
                List.of(
                        image(small(3), 3000),
                        image(small(4), 4000),
                        zeros(),
                        image(small(6), 6000),
                        image(large(1), 8000)),
                PageAccess.NONE);

        assertEquals(4001, word(pages.bytes(new Payload.PageImage(small(4))), 1));
        assertEquals(0, pages.bytes(new Payload.PageImage(small(5))).byteSize());
        for (PageId page : several) {
            load(page, 1);
            expectFault(page, FaultKind.READ);
            pages.resume(page, PageAccess.READ);
            boolean isZero = page.equals(small(5));
            long fill = page.equals(large(1)) ? 8000 : 1000L * page.index();
            expectOver(page, 1, Long.toString(isZero ? 0 : fill + 1));
        }
        store(small(6), 0, 1);
        expectFault(small(6), FaultKind.UPGRADE);
        pages.resume(small(6), PageAccess.READ_WRITE);
        expectOver(small(6), 0, "stored");
    }

    @Test
    void pageOfZeros_needsNoBytesAndHasNone() {
        assertEquals(0, pages.bytes(new Payload.PageImage(small(1))).byteSize());

        store(small(1), 0, 9);
        expectFault(small(1), FaultKind.WRITE);
        pages.install(small(1), zeros(), PageAccess.NONE);
        assertEquals(0, pages.bytes(new Payload.PageImage(small(1))).byteSize());
        pages.resume(small(1), PageAccess.READ_WRITE);
        expectOver(small(1), 0, "stored");

        assertEquals(PAGE, pages.bytes(new Payload.PageImage(small(1))).byteSize());
    }

    @Test
    void resumeOfAPageWithoutContent_givesZeros() {
        load(small(2), 4);
        expectFault(small(2), FaultKind.READ);

        pages.resume(small(2), PageAccess.READ_WRITE);

        expectOver(small(2), 4, "0");
    }

    @Test
    void imageOfTheWrongLength_isMalformedAndTheTextNamesThePage() {
        MalformedMessageException thrown =
                assertThrows(
                        MalformedMessageException.class,
                        () -> pages.install(small(2), image(large(0), 1), PageAccess.READ));

        assertEquals("page 0/2 of 4096 bytes came as 16384", thrown.getMessage());
    }

    @Test
    void unitOfFourPages_movesAsOne() {
        bringIn(large(1), 5000, PageAccess.READ_WRITE);
        int last = LARGE.pageBytes() / 8 - 1;
        store(large(1), last, 1);
        expectOver(large(1), last, "stored");

        pages.setAccess(large(1), PageAccess.READ);
        store(large(1), last, 2);
        expectFault(large(1), FaultKind.UPGRADE);
        load(large(1), 512);
        expectOver(large(1), 512, "5512");

        pages.discard(large(1));
        load(large(1), 513); // another machine page of the unit
        expectFault(large(1), FaultKind.READ);
        pages.install(large(1), zeros(), PageAccess.READ_WRITE);
        pages.resume(large(1), PageAccess.READ_WRITE);
        String first = until("both", () -> Optional.ofNullable(lines.poll()));
        String second = until("both", () -> Optional.ofNullable(lines.poll()));
        List<String> over = new ArrayList<>(List.of(first, second));
        over.sort(null);
        List<String> expected =
                new ArrayList<>(
                        List.of(
                                (offset(large(1)) + last * 8L) + " stored",
                                (offset(large(1)) + 513 * 8L) + " 0"));
        expected.sort(null);
        assertEquals(expected, over);
    }

    @Test
    void withdrawnPages_keepTheirContentAndFault() {
        bringIn(small(4), 400, PageAccess.READ_WRITE);
        bringIn(small(5), 500, PageAccess.READ_WRITE);

        pages.withdraw(small(4), 2);
        until("the withdrawal", () -> events.stream().findFirst());

        assertEquals(List.of(new Event.AccessWithdrawn(small(4), 2)), events);
        load(small(5), 2);
        expectFault(small(5), FaultKind.READ);
        pages.resume(small(5), PageAccess.READ);
        expectOver(small(5), 2, "502");
    }

    /** What an update does to a copy that nobody looks at, and what a look does then. */
    @Test
    void updateThatTakesTheAccess_isSeenByTheNextAccessOnly() {
        bringIn(small(8), 800, PageAccess.READ);
        bringIn(small(9), 900, PageAccess.READ_WRITE);
        pages.setAccess(small(9), PageAccess.READ);
        pages.makeTwin(small(9));
        pages.resume(small(9), PageAccess.READ_WRITE);
        store(small(9), 2, 77);
        expectOver(small(9), 2, "stored");
        pages.setAccess(small(9), PageAccess.READ);
        pages.saveDiff(small(9), 1, false);
        Payload diff = new Payload.SavedDiff(small(9), 1);

        for (int round = 0; round < 3; round++) {
            pages.applyDiff(small(8), diff);
            pages.setAccess(small(8), PageAccess.NONE);
            pages.applyDiff(small(8), diff); // within the window
            load(small(8), 2);
            expectFault(small(8), FaultKind.READ);
            pages.resume(small(8), PageAccess.READ);
            expectOver(small(8), 2, "77");
            load(small(8), 3);
            expectOver(small(8), 3, "803");
        }
        pages.setAccess(small(8), PageAccess.NONE);
        store(small(8), 4, 1);
        expectFault(small(8), FaultKind.WRITE);
        pages.makeTwin(small(8));
        pages.resume(small(8), PageAccess.READ_WRITE);
        expectOver(small(8), 4, "stored");
        pages.setAccess(small(8), PageAccess.READ);
        assertEquals(1, pages.saveDiff(small(8), 2, false).granules());

        pages.dropTwin(small(8));
        pages.setAccess(small(8), PageAccess.NONE);
        pages.discard(small(8)); // the window is over
        load(small(8), 2);
        expectFault(small(8), FaultKind.READ);
        pages.install(small(8), image(small(8), 2000), PageAccess.NONE);
        pages.resume(small(8), PageAccess.READ);
        expectOver(small(8), 2, "2002");
    }

    /** The engine refuses to change a page that is just being withdrawn; the change waits. */
    @Test
    void neighbours_changeTogetherAndThoseWithoutContentStayWithout() {
        bringIn(small(3), 300, PageAccess.READ_WRITE);
        bringIn(small(4), 400, PageAccess.READ_WRITE);
        bringIn(small(6), 600, PageAccess.READ_WRITE);
        pages.setAccess(small(2), 5, PageAccess.READ);
        store(small(4), 0, 1);
        expectFault(small(4), FaultKind.UPGRADE);
        pages.setAccess(small(2), 5, PageAccess.NONE);
        pages.resume(small(4), PageAccess.READ_WRITE);
        expectOver(small(4), 0, "stored");
        load(small(3), 1);
        expectFault(small(3), FaultKind.READ);
        pages.setAccess(small(2), 3, PageAccess.READ);
        pages.resume(small(3), PageAccess.READ);
        expectOver(small(3), 1, "301");
        load(small(5), 0);
        expectFault(small(5), FaultKind.READ);
        pages.resume(small(5), PageAccess.READ);
        expectOver(small(5), 0, "0");
        pages.discard(small(2), 5);
        load(small(6), 0);
        expectFault(small(6), FaultKind.READ);
        pages.resume(small(6), PageAccess.READ);
        expectOver(small(6), 0, "0");
        assertEquals(1L * PAGE, engine.allocatedBytes());
    }

    @Test
    void changesDuringAWithdrawal_waitForItsEnd() {
        bringIn(small(6), 600, PageAccess.READ_WRITE);
        bringIn(small(7), 700, PageAccess.READ_WRITE);

        pages.withdraw(small(6), 1);
        pages.resume(small(6), PageAccess.READ_WRITE);
        pages.setAccess(small(7), PageAccess.READ);
        until("the withdrawal", () -> events.stream().findFirst());

        store(small(6), 3, 1);
        expectOver(small(6), 3, "stored");
        store(small(7), 3, 1);
        if (kind.hasTraps()) {
            expectOver(small(7), 3, "stored"); // it has been offered since
        } else {
            expectFault(small(7), FaultKind.UPGRADE);
        }
    }

    @Test
    void diffOfOnePage_isAppliedToPageAndTwinOfAnother() {
        bringIn(small(8), 0, PageAccess.READ);
        bringIn(small(9), 0, PageAccess.READ);
        pages.makeTwin(small(8));
        pages.makeTwin(small(9));
        pages.resume(small(8), PageAccess.READ_WRITE);
        pages.resume(small(9), PageAccess.READ_WRITE);
        store(small(8), 10, 77);
        expectOver(small(8), 10, "stored");
        store(small(8), 11, 88);
        expectOver(small(8), 11, "stored");
        store(small(9), 11, 99);
        expectOver(small(9), 11, "stored");

        pages.setAccess(small(8), PageAccess.READ);
        assertEquals(2, pages.saveDiff(small(8), 1, false).granules());
        pages.keepDiff(small(9), 4, new Payload.SavedDiff(small(8), 1));
        int overlap = pages.applyDiff(small(9), new Payload.KeptDiff(small(9), 4));

        assertEquals(1, overlap, "both stored to word 11");
        MemorySegment page = pages.bytes(new Payload.PageImage(small(9)));
        MemorySegment twin = pages.bytes(new Payload.TwinImage(small(9)));
        assertEquals(77, word(page, 10));
        assertEquals(77, word(twin, 10));
        pages.setAccess(small(9), PageAccess.READ);
        assertEquals(88, word(twin, 11));
        assertEquals(99, word(page, 11), "what a local thread stored stays");
        assertEquals(1, pages.saveDiff(small(9), 2, false).granules(), "and is sent");
    }

    @Test
    void twinsAndDiffs_areFreed() {
        bringIn(small(10), 0, PageAccess.READ);
        for (int interval = 1; interval <= 50; interval++) {
            pages.makeTwin(small(10));
            pages.resume(small(10), PageAccess.READ_WRITE);
            store(small(10), 1, interval);
            expectOver(small(10), 1, "stored");
            pages.setAccess(small(10), PageAccess.READ);
            pages.saveDiff(small(10), interval, false);
            pages.dropTwin(small(10));
            pages.dropDiff(small(10), interval);
        }

        assertEquals(0, engine.twinBytes());
        assertThrows(
                IllegalStateException.class,
                () -> pages.bytes(new Payload.SavedDiff(small(10), 50)));
        assertThrows(
                IllegalStateException.class, () -> pages.bytes(new Payload.TwinImage(small(10))));
    }

    @Test
    void twinOfAPageWithoutContent_isZeros() {
        pages.makeTwin(small(11));

        assertEquals(0, pages.bytes(new Payload.TwinImage(small(11))).byteSize());
    }

    @Test
    void malformedDiff_isRefusedAndTheTextNamesTheVariable() {
        bringIn(small(12), 0, PageAccess.READ);
        Payload.Received nonsense = new Payload.Received(arena.allocate(3, 8), false);

        MalformedMessageException thrown =
                assertThrows(
                        MalformedMessageException.class,
                        () -> pages.applyDiff(small(12), nonsense));

        assertEquals("diff of page 0/12 in variable region0 is malformed", thrown.getMessage());
    }

    @Test
    void poisonedPage_failsWhoeverWaitsAndWhoeverComes() {
        load(small(13), 0);
        expectFault(small(13), FaultKind.READ);
        pages.makeTwin(small(14));

        pages.poison(small(13));
        pages.poison(small(14)); // with content and a twin

        expectOver(small(13), 0, "error");
        load(small(14), 1);
        expectOver(small(14), 1, "error");
        pages.resume(small(13), PageAccess.READ); // the kernel may not know yet
        pages.setAccess(small(13), PageAccess.READ);
        load(small(13), 2);
        expectOver(small(13), 2, "error");
    }

    @Test
    void overdueFault_isReportedOnce() {
        load(small(15), 0);
        expectFault(small(15), FaultKind.READ);
        List<PageId> reported = new ArrayList<>();
        long now = System.nanoTime();

        pages.reportOverdue(now, TimeUnit.MINUTES.toNanos(1), reported::add);
        assertEquals(List.of(), reported);
        pages.reportOverdue(now + TimeUnit.MINUTES.toNanos(2), 1, reported::add);
        pages.reportOverdue(now + TimeUnit.MINUTES.toNanos(3), 1, reported::add);

        assertEquals(List.of(small(15)), reported);
        pages.resume(small(15), PageAccess.READ);
        expectOver(small(15), 0, "0");
        pages.reportOverdue(now + TimeUnit.MINUTES.toNanos(4), 1, reported::add);
        assertEquals(1, reported.size());
    }

    @Test
    void accessThatAlternates_isRefusedBeforeMappingsRunOut() {
        assumeTrue(kind == EngineKind.MPROTECT_SIGNAL, "uffd engines need no mappings");
        int max = mappingsMax();
        assumeTrue(max < MAPPINGS_MAX, "the machine allows too many mappings to use them up");

        IllegalStateException refusal =
                assertThrows(
                        IllegalStateException.class,
                        () -> {
                            for (int page = 0; page < MANY.pages(); page += 2) {
                                pages.resume(new PageId(2, page), PageAccess.READ);
                            }
                        });

        String text = refusal.getMessage();
        assertTrue(text.startsWith("variable region2: to change the access of page "), text);
        assertTrue(text.contains("more than " + max / 2 + " mappings"), text);
        assertTrue(text.contains("vm.max_map_count"), text);
        assertEquals(max / 2, engine.mappings(), 1);
        commands.println("get " + MANY.offset());
        assertEquals(
                MANY.offset() + " 0", until("a load", () -> Optional.ofNullable(lines.poll())));
    }
}
