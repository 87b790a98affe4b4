package io.muninn.agent.memory;

import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.kernel.port.Pages.DiffSize;
import io.muninn.kernel.port.Traps;
import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.Gate;
import io.muninn.spi.Event;
import io.muninn.spi.ThreadMark;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access that is withdrawn from pages whose content is kept, at any moment. */
@ParameterizedClass
@EnumSource
class WithdrawalTest extends LivePagesFixture {
    private static final int FEW = 2;
    private static final int LONG = 40; // more than is withdrawn at once

    /** Their content is present, and threads may load from them. */
    private void share(int count) {
        List<PageId> shared = IntStream.range(0, count).mapToObj(LivePagesFixture::many).toList();
        pages.install(
                FIRST,
                shared,
                shared.stream().<Payload>map(page -> image(page, fill(page))).toList(),
                PageAccess.READ);
        endStep();
    }

    private static long fill(PageId page) {
        return 1000L * page.index();
    }

    private void endStep() {
        pages.afterStep(twins(page -> fail("a twin of " + page)));
    }

    /** The pages whose twins are reported before an event. */
    private List<PageId> beginStep(Event event) {
        List<PageId> twins = new ArrayList<>();
        pages.beforeStep(event, twins(twins::add));
        return twins;
    }

    private static Traps.Listener twins(Consumer<PageId> made) {
        return new Traps.Listener() {
            @Override
            public void twinMade(MappingId mapping, PageId page) {
                made.accept(page);
            }

            @Override
            public void entered(MappingId mapping, PageId page, boolean isChecked) {
                fail("page " + page + " was entered");
            }
        };
    }

    private static Event withdrawn(int count, PageId... refused) {
        return new Event.AccessWithdrawn(FIRST, many(0), count, List.of(refused));
    }

    private void expectWithdrawn(Event event) {
        until("the withdrawal", () -> events.stream().findFirst());
        assertEquals(List.of(event), events);
        events.clear();
    }

    private void beginLongWithdrawal() {
        assumeTrue(!kind.withdrawsRunsAtOnce(), "it is over at once");
        share(LONG);
        hearsReplies = false;
        pages.withdraw(FIRST, many(0), LONG);
        endStep();
        assertEquals(List.of(), events);
    }

    private void expectReply() {
        assertEquals(List.of(), events);
        hearsReplies = true;
        expectWithdrawn(withdrawn(LONG));
    }

    /**
     * Threads load without a fault; a store is made by a trap to which the page was offered, or
     * faults.
     */
    private void expectReadable(PageId page, long fill) {
        load(page, 1);
        expectOver(page, 1, Long.toString(fill + 1));
        store(page, 2, 1);
        if (kind.hasTraps()) {
            expectOver(page, 2, "stored");
        } else {
            expectFault(page, FaultKind.UPGRADE);
        }
    }

    @Test
    void fewPages_areWithdrawnWithoutTheApplication() {
        share(FEW);
        hearsReplies = false;

        pages.withdraw(FIRST, many(0), FEW);

        assertEquals(List.of(withdrawn(FEW)), events);
        faultOnceAndLoad(many(1), 2, fill(many(1)) + 2);
    }

    @Test
    void longRun_losesItsAccessAndKeepsItsContent() {
        share(LONG);
        pages.discard(many(17));
        long held = engine.allocatedBytes();

        pages.withdraw(FIRST, many(0), LONG);

        assertEquals(kind.withdrawsRunsAtOnce(), !events.isEmpty());
        expectWithdrawn(withdrawn(LONG));
        assertEquals(held, engine.allocatedBytes());
        for (int index : new int[] {0, 16, 18, LONG - 1}) {
            faultOnceAndLoad(many(index), 3, fill(many(index)) + 3);
        }
        load(many(17), 3);
        expectFault(many(17), FaultKind.READ);
        pages.install(FIRST, many(17), image(many(17), 5), PageAccess.NONE);
        pages.resume(FIRST, many(17), PageAccess.READ);
        expectOver(many(17), 3, "8");
    }

    @Test
    void otherPages_doNotWaitForAWithdrawal() {
        beginLongWithdrawal();

        bringIn(small(4), 400, PageAccess.READ);
        endStep();
        expectReadable(small(4), 400);
        expectReply();
    }

    @Test
    void accessGivenMeanwhile_comesWhenTheWithdrawalIsDone() {
        beginLongWithdrawal();

        pages.resume(FIRST, many(5), PageAccess.READ_WRITE);
        pages.install(FIRST, many(6), image(many(6), 60), PageAccess.READ);
        pages.setAccess(FIRST, many(7), 2, PageAccess.READ);
        pages.resume(FIRST, many(9), PageAccess.READ);
        pages.discard(many(9));
        endStep();
        expectReply();

        store(many(5), 0, 1);
        expectOver(many(5), 0, "stored");
        load(many(6), 1);
        expectOver(many(6), 1, "61");
        expectReadable(many(8), fill(many(8)));
        load(many(9), 1);
        expectFault(many(9), FaultKind.READ);
    }

    @Test
    void threadThatIsResumedMeanwhile_goesOnWhenTheWithdrawalIsDone() {
        share(LONG);
        pages.discard(many(5));
        load(many(5), 1);
        expectFault(many(5), FaultKind.READ);
        pages.withdraw(FIRST, many(0), LONG);
        pages.install(FIRST, many(5), image(many(5), 50), PageAccess.NONE);

        pages.resume(FIRST, many(5), PageAccess.READ);

        expectOver(many(5), 1, "51");
        expectWithdrawn(withdrawn(LONG));
    }

    @Test
    void accessTakenMeanwhile_isNotGivenBack() {
        beginLongWithdrawal();

        pages.resume(FIRST, many(3), 2, PageAccess.READ_WRITE);
        pages.setAccess(FIRST, many(3), PageAccess.NONE);
        pages.setAccess(FIRST, many(4), PageAccess.READ);
        expectReply();

        expectReadable(many(4), fill(many(4)));
        load(many(3), 1);
        expectFault(many(3), FaultKind.READ);
    }

    @Test
    void pagePoisonedMeanwhile_staysPoisoned() {
        beginLongWithdrawal();

        pages.poison(many(5));
        expectReply();

        load(many(5), 0);
        expectOver(many(5), 0, "error");
    }

    @Test
    void secondWithdrawalOfAPage_isDoneWithTheFirst() {
        beginLongWithdrawal();

        pages.resume(FIRST, many(5), PageAccess.READ);
        pages.withdraw(FIRST, many(5), 1);
        hearsReplies = true;
        until("both", () -> events.size() == 2 ? Optional.of(events) : Optional.empty());

        assertEquals(
                List.of(withdrawn(LONG), new Event.AccessWithdrawn(FIRST, many(5), 1, List.of())),
                events);
        faultOnceAndLoad(many(5), 1, fill(many(5)) + 1);
    }

    /** A thread stores to page 1 of the run, and its trap has just done the step. */
    @ParameterizedTest
    @ValueSource(ints = {FEW, LONG})
    void withdrawalInTheMidstOfATrap_losesNoStore(int count) {
        assumeTrue(kind.hasTraps(), "every fault is the agent's");
        PageId page = many(1);
        Gate gate = new Gate(engine);
        share(count);
        long interval = 0;
        for (Gate.Step step : Gate.Step.values()) {
            if (step == Gate.Step.OPEN) {
                continue;
            }
            gate.hold(step);
            store(page, 2, 7 + interval);
            until("the trap", () -> gate.held() == 1 ? Optional.of(gate) : Optional.empty());
            boolean isLifting = step.compareTo(Gate.Step.LIFTING) >= 0;

            pages.withdraw(FIRST, many(0), count);

            Event expected = isLifting ? withdrawn(count, page) : withdrawn(count);
            expectWithdrawn(expected);
            assertEquals(isLifting ? List.of(page) : List.of(), beginStep(expected), step.name());
            if (isLifting) {
                pages.setAccess(FIRST, page, PageAccess.NONE); // is refused as well
                DiffSize size = pages.saveDiff(page, ++interval, false);
                assertTrue(size.kept(), step.name());
                assertEquals(0, size.granules(), step.name());
            }
            endStep();
            gate.open();
            if (!isLifting) {
                expectFault(page, FaultKind.UPGRADE); // as when the trap began
                pages.makeTwin(page);
                pages.resume(FIRST, page, PageAccess.READ_WRITE);
            }
            expectOver(page, 2, "stored");
            pages.setAccess(FIRST, page, PageAccess.NONE);
            DiffSize size = pages.saveDiff(page, ++interval, false);
            assertEquals(new DiffSize(1, size.bytes(), false), size, step.name());
            pages.dropTwin(page);
            pages.setAccess(FIRST, many(0), count, PageAccess.READ);
            endStep();
        }
    }

    /** The twin has not been reported to the agent when it withdraws the page. */
    @ParameterizedTest
    @ValueSource(ints = {FEW, LONG})
    void pageThatATrapHasMadeWritable_isWithdrawnWithItsTwin(int count) {
        assumeTrue(kind.hasTraps(), "every fault is the agent's");
        share(count);
        store(many(1), 2, 7);
        expectOver(many(1), 2, "stored");

        pages.withdraw(FIRST, many(0), count);

        expectWithdrawn(withdrawn(count));
        assertEquals(List.of(many(1)), beginStep(withdrawn(count)));
        assertEquals(1, pages.saveDiff(many(1), 1, false).granules());
        store(many(1), 3, 8);
        expectFault(many(1), FaultKind.WRITE);
        pages.resume(FIRST, many(1), PageAccess.READ_WRITE);
        endStep();
        expectOver(many(1), 3, "stored");
        assertEquals(List.of(), beginStep(withdrawn(count)));
    }

    /** The first event after a withdrawal need not be its result. */
    @Test
    void twinOfAWithdrawnPage_isReportedAheadOfAFaultThere() {
        assumeTrue(kind.hasTraps(), "every fault is the agent's");
        share(LONG);
        store(many(1), 2, 7);
        expectOver(many(1), 2, "stored");
        pages.withdraw(FIRST, many(0), LONG);
        endStep();

        Event fault = new Event.FaultRaised(FIRST, many(1), FaultKind.READ, ThreadMark.UNKNOWN, 1);
        assertEquals(List.of(many(1)), beginStep(fault));
        endStep();
        expectWithdrawn(withdrawn(LONG));
        assertEquals(List.of(), beginStep(withdrawn(LONG)));
    }
}
