package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.nativefault.Pair.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The effects of each access on the application's threads, with two real processes. */
@Timeout(60)
@ParameterizedClass
@EnumSource(EngineKind.class)
class AccessTest {
    private static final int PAGE = Pair.PAGE;

    @Parameter private EngineKind kind;

    private Pair pair;

    @BeforeEach
    void start() {
        pair = Pair.start(kind, 64L * PAGE);
    }

    @AfterEach
    void end() {
        pair.close();
    }

    @Test
    void loadOfAnAbsentPage_waitsForItsBytes() {
        pair.application.say("a get " + (3 * PAGE + 16));

        Fault fault = pair.fault();
        pair.fill(3 * PAGE + 16, 42);
        pair.resolve(3 * PAGE, PageAccess.READ);

        assertEquals(new Fault(3 * PAGE + 16, FaultKind.READ), fault);
        assertEquals("a 42", pair.application.line());
    }

    @Test
    void storeToAnAbsentPage_reachesTheAlias() {
        pair.application.say("a put 8 7");

        Fault fault = pair.fault();
        pair.engine.touch(0, PAGE);
        pair.resolve(0, PageAccess.READ_WRITE);

        assertEquals(new Fault(8, FaultKind.WRITE), fault);
        assertEquals("a stored", pair.application.line());
        assertEquals(7, pair.content(8));
    }

    @Test
    void storeToAReadablePage_isAnUpgrade() {
        pair.fill(0, 1);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ);
        pair.application.say("a get 0");
        assertEquals("a 1", pair.application.line());
        pair.application.say("b put 0 2");

        Fault fault = pair.fault();
        long before = pair.content(0);
        pair.resolve(0, PageAccess.READ_WRITE);

        assertEquals(new Fault(0, FaultKind.UPGRADE), fault);
        assertEquals(1, before);
        assertEquals("b stored", pair.application.line());
        assertEquals(2, pair.content(0));
    }

    @Test
    void allowRead_freezesAWriter() {
        pair.engine.touch(0, PAGE);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ_WRITE);
        pair.application.say("a count 0");
        pair.serveUntil(() -> pair.content(0) > 1000);

        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ);

        long frozen = pair.content(0);
        assertEquals(new Fault(0, FaultKind.UPGRADE), pair.fault());
        for (int i = 0; i < 100_000; i++) {
            assertEquals(frozen, pair.content(0));
        }
        pair.resolve(0, PageAccess.READ_WRITE);
        pair.serveUntil(() -> pair.content(0) > frozen + 1000);
        pair.engine.control().set(JAVA_LONG, 0, 1);
        assertEquals("a counted", pair.application.line());
    }

    @Test
    void allowNone_keepsTheContentAndFaults() {
        pair.fill(0, 5);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ_WRITE);
        pair.application.say("a put 8 6");
        assertEquals("a stored", pair.application.line());

        pair.drop(0);
        pair.application.say("b get 8");
        Fault fault = pair.fault();
        long kept = pair.content(0);
        pair.resolve(0, PageAccess.READ);

        assertEquals(new Fault(8, FaultKind.READ), fault);
        assertEquals(5, kept);
        assertEquals("b 6", pair.application.line());
    }

    @Test
    void allowNoneAfterRead_letsAStoreFaultAsAWrite() {
        pair.fill(0, 5);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ);
        pair.drop(0);
        pair.application.say("a put 0 6");

        Fault fault = pair.fault();
        pair.resolve(0, PageAccess.READ_WRITE);

        assertEquals(new Fault(0, FaultKind.WRITE), fault);
        assertEquals("a stored", pair.application.line());
    }

    @Test
    void withdraw_keepsTheContentOfAStoppedApplication() {
        pair.fill(0, 5);
        pair.fill(PAGE + 8, 6);
        pair.engine.allow(MappingId.FIRST, 0, 2L * PAGE, PageAccess.READ_WRITE);
        long held = pair.engine.allocatedBytes();
        pair.application.stop();

        pair.engine.withdraw(0, 2L * PAGE);

        assertEquals(held, pair.engine.allocatedBytes());
        assertEquals(5, pair.content(0));
        pair.application.resume();
        pair.application.say("a get " + (PAGE + 8));
        assertEquals(new Fault(PAGE + 8, FaultKind.READ), pair.fault());
        pair.resolve(PAGE, PageAccess.READ);
        assertEquals("a 6", pair.application.line());
        pair.application.say("b put 0 7");
        assertEquals(new Fault(0, FaultKind.WRITE), pair.fault());
        pair.resolve(0, PageAccess.READ_WRITE);
        assertEquals("b stored", pair.application.line());
        assertEquals(7, pair.content(0));
    }

    @Test
    void withdrawOfAPoisonedPage_isRefused() {
        pair.engine.touch(0, PAGE);
        pair.engine.poison(0, PAGE);

        NativeCallException refusal =
                assertThrows(NativeCallException.class, () -> pair.engine.withdraw(0, PAGE));

        assertEquals(133, refusal.errno());
    }

    @Test
    void withdrawOfADroppingPage_isInForceAtOnce() throws IOException {
        assumeTrue(kind != EngineKind.MPROTECT_SIGNAL, "its drop is in force at once");
        pair.fill(0, 5);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ_WRITE);
        pair.application.stop();
        long mapped = mappedKilobytes();
        pair.engine.first().drop(0, PAGE);
        assertEquals(mapped, mappedKilobytes());

        pair.engine.withdraw(0, PAGE);

        assertEquals(mapped - PAGE / 1024, mappedKilobytes());
        pair.application.resume();
        pair.serveUntil(() -> pair.commands.drops.size() == 1);
        pair.application.say("a get 0");
        assertEquals(new Fault(0, FaultKind.READ), pair.fault());
        pair.resolve(0, PageAccess.READ);
        assertEquals("a 5", pair.application.line());
    }

    /** How much of the regions the application's page table maps. */
    private long mappedKilobytes() throws IOException {
        Path table = Path.of("/proc", "" + pair.engine.first().pid(), "smaps");
        boolean isOfRegions = false;
        long sum = 0;
        for (String line : Files.readAllLines(table)) {
            if (line.contains("-") && line.contains(" /")) {
                isOfRegions = line.contains("muninn-regions");
            } else if (isOfRegions && line.startsWith("Rss:")) {
                sum += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return sum;
    }

    @Test
    void allowWhileAccessIsBeingWithdrawn_isRefused() {
        pair.fill(0, 5);
        pair.application.stop();
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.NONE);

        NativeCallException busy =
                assertThrows(
                        NativeCallException.class,
                        () -> pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ));

        assertTrue(busy.getMessage().contains("EBUSY"), busy.getMessage());
        pair.application.resume();
        pair.serveUntil(() -> pair.commands.drops.size() == 1);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ);
    }

    @Test
    void allowOfAPageWithoutContent_isRefused() {
        NativeCallException refusal =
                assertThrows(
                        NativeCallException.class,
                        () -> pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ));

        assertTrue(refusal.getMessage().contains("EFAULT"), refusal.getMessage());
    }

    @Test
    void allowOfARange_takesWhateverIsMappedOfIt() {
        pair.engine.touch(0, 8L * PAGE);
        pair.engine.allow(MappingId.FIRST, 2L * PAGE, PAGE, PageAccess.READ_WRITE);
        pair.engine.allow(MappingId.FIRST, 5L * PAGE, 2L * PAGE, PageAccess.READ);

        pair.engine.allow(MappingId.FIRST, 0, 8L * PAGE, PageAccess.READ);
        pair.application.say("a put " + 2 * PAGE + " 1");
        assertEquals(new Fault(2 * PAGE, FaultKind.UPGRADE), pair.fault());
        pair.engine.allow(MappingId.FIRST, 0, 8L * PAGE, PageAccess.READ_WRITE);
        pair.engine.wake(0, 8L * PAGE);
        assertEquals("a stored", pair.application.line());

        for (int page = 0; page < 8; page++) {
            pair.application.say("b put " + page * PAGE + " 9");
            assertEquals("b stored", pair.application.line());
        }
        assertEquals(0, pair.faultsWaiting());
    }

    @Test
    void discard_freesTheMemoryAndFaults() {
        pair.fill(0, 5);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ_WRITE);
        long before = pair.engine.allocatedBytes();

        pair.engine.discard(0, PAGE);

        assertEquals(before - PAGE, pair.engine.allocatedBytes());
        pair.application.say("a get 0");
        assertEquals(new Fault(0, FaultKind.READ), pair.fault());
        pair.fill(0, 6);
        pair.resolve(0, PageAccess.READ);
        assertEquals("a 6", pair.application.line());
    }

    /** In an application that is a JVM: the signal becomes an error of the thread. */
    @Test
    void poison_throwsInTheThreadThatWaitsAndInTheNext() {
        pair.close();
        pair = Pair.startJvm(kind, 64L * PAGE, Pair.QUICK);
        pair.fill(0, 5);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ);
        pair.application.say("a put 0 6");
        assertEquals(new Fault(0, FaultKind.UPGRADE), pair.fault());

        pair.engine.poison(0, PAGE);

        assertEquals("a InternalError", pair.application.line());
        pair.application.say("b get 0");
        assertEquals("b InternalError", pair.application.line());
        pair.engine.poison(0, 2L * PAGE);
        NativeCallException refusal =
                assertThrows(
                        NativeCallException.class,
                        () -> pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ));
        assertTrue(refusal.getMessage().contains("EHWPOISON"), refusal.getMessage());
    }

    @Test
    void staleFaults_areHarmless() {
        pair.application.say("a get 0");
        pair.application.say("b get 0");
        pair.fault();
        pair.fault();
        pair.fill(0, 3);

        pair.resolve(0, PageAccess.READ);
        pair.resolve(0, PageAccess.READ); // the second fault, whose access has been granted since

        assertEquals(
                Set.of("a 3", "b 3"), Set.of(pair.application.line(), pair.application.line()));
        pair.application.say("c put 0 4");
        assertEquals(new Fault(0, FaultKind.UPGRADE), pair.fault());
        pair.resolve(0, PageAccess.READ_WRITE);
        assertEquals("c stored", pair.application.line());
    }

    @Test
    void wakeWithoutAccess_faultsAgain() {
        pair.application.say("a get 0");
        pair.fault();

        pair.engine.wake(0, PAGE);

        assertEquals(new Fault(0, FaultKind.READ), pair.fault());
        pair.engine.touch(0, PAGE);
        pair.resolve(0, PageAccess.READ);
        assertEquals("a 0", pair.application.line());
    }

    @Test
    void touch_keepsContent() {
        pair.fill(8, 5);

        pair.engine.touch(0, 2L * PAGE);

        assertEquals(5, pair.content(8));
        assertFalse(pair.engine.isZero(0, 2L * PAGE));
        assertTrue(pair.engine.isZero(PAGE, PAGE));
        pair.engine.alias().set(JAVA_BYTE, 2L * PAGE - 1, (byte) 1);
        assertFalse(pair.engine.isZero(PAGE, PAGE));
    }

    @Test
    void rangesOutsideTheRegions_areRefused() {
        for (long[] range :
                new long[][] {
                    {-PAGE, PAGE},
                    {0, 0},
                    {0, -PAGE},
                    {8, PAGE},
                    {0, 100},
                    {63L * PAGE, 2L * PAGE},
                    {64L * PAGE, PAGE},
                    {Long.MAX_VALUE - PAGE + 1, PAGE}
                }) {
            for (Runnable call : calls(range[0], range[1])) {
                NativeCallException refusal = assertThrows(NativeCallException.class, call::run);
                assertTrue(refusal.getMessage().contains("EINVAL"), refusal.getMessage());
            }
        }
    }

    private List<Runnable> calls(long offset, long bytes) {
        FaultEngine engine = pair.engine;
        return List.of(
                () -> engine.allow(MappingId.FIRST, offset, bytes, PageAccess.READ),
                () -> engine.allow(MappingId.FIRST, offset, bytes, PageAccess.NONE),
                () -> engine.withdraw(offset, bytes),
                () -> engine.wake(offset, bytes),
                () -> engine.discard(offset, bytes),
                () -> engine.poison(offset, bytes),
                () -> engine.touch(offset, bytes),
                () -> engine.isZero(offset, bytes),
                () -> engine.makeTwin(offset, (int) bytes));
    }

    @Test
    void twins_areCopiesWithAnEndOfTheirOwn() {
        pair.fill(0, 5);

        long twin = pair.engine.makeTwin(0, PAGE);
        pair.fill(0, 6);

        assertEquals(5, NativeMemory.at(twin, PAGE).get(JAVA_LONG, 0));
        assertEquals(PAGE, pair.engine.twinBytes());
        long other = pair.engine.makeTwin(0, PAGE);
        assertNotEquals(twin, other);
        pair.engine.freeTwin(twin, PAGE);
        assertThrows(NativeCallException.class, () -> pair.engine.freeTwin(twin, PAGE));
        pair.engine.freeTwin(other, PAGE);
        assertEquals(0, pair.engine.twinBytes());
    }
}
