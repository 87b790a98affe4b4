package io.muninn.coherence.weak;

import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.resume;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.shared.RefusedPages;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.model.BarrierId;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.PoolCall;
import io.muninn.spi.PoolResult;
import io.muninn.spi.PoolResult.Entry;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WeakRules;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cells of the table of {@link PooledWeak}. */
class PooledWeakTest {
    private static final GatedRelease LEAVING =
            new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);
    private static final Effect OFFER = use(new PoolCall.Offer(new PageId(0, 0), 16));
    private static final Effect ENTER = use(new PoolCall.Enter(PAGE));
    private static final Effect LEAVE = use(new PoolCall.Leave(List.of(PAGE)));
    private static final Effect FILL = use(new PoolCall.Fill(PAGE));
    private static final Effect TAKE_MAPPED = use(new PoolCall.TakeMapped());
    private static final PoolResult NOT_MAPPED = new PoolResult.Mapped(List.of());
    private static final PoolResult MAPPED = new PoolResult.Mapped(List.of(PAGE));
    private static final Effect TAKE = use(new PoolCall.TakeList());
    private static final Effect CHECK = use(new PoolCall.Check(List.of(PAGE)));
    private static final Effect MAKE_TWIN = new Effect.MakeTwin(PAGE);
    private static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);
    private static final Effect WITHDRAW = new Effect.Withdraw(MappingId.FIRST, PAGE, 1);
    private static final Effect INSTALL =
            new Effect.InstallPage(
                    MappingId.FIRST, PAGE, new Payload.PoolFrame(PAGE), PageAccess.NONE);

    /** Every state of the table, and the transitions into it. */
    private enum Of {
        ABSENT(() -> node(1, WeakRules.DEFAULT)),
        MAPPING(() -> ABSENT.subject().readFault()),
        CLEAN(() -> MAPPING.subject().poolDone(in(Entry.SAFE))),
        DIRTY(() -> CLEAN.subject().writeFault()),
        WITHDRAWING(() -> noticed(CLEAN.subject())),
        CLOSING(() -> noticed(DIRTY.subject())),
        IDLE(() -> node(0, WeakRules.DEFAULT)),
        INITIAL(() -> IDLE.subject().writeFault()),
        HOME_SOLE(() -> home().readFault()),
        HOME_CLEAN(() -> mapped(home()).readFault()),
        HOME_DIRTY(() -> HOME_CLEAN.subject().writeFault());

        private final Supplier<Subject<Msg>> made;

        Of(Supplier<Subject<Msg>> made) {
            this.made = made;
        }

        Subject<Msg> subject() {
            return made.get().passNanos(1_000_000_000).quietly();
        }

        String text() {
            return switch (this) {
                case HOME_SOLE -> "HomeSole";
                case HOME_CLEAN -> "HomeClean";
                case HOME_DIRTY -> "HomeDirty";
                default -> name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
            };
        }
    }

    /** The home of the page. */
    private static Subject<Msg> home() {
        return node(0, Home.ROOT, WeakRules.DEFAULT).sealed().quietly();
    }

    /** Another node has entered the page before a release of this node. */
    private static Subject<Msg> mapped(Subject<Msg> home) {
        return home.release(LEAVING).poolDone(MAPPED).expectPerformed(LEAVING).quietly();
    }

    /** Not the home of the page. */
    private static Subject<Msg> node(int self, WeakRules rules) {
        return node(self, self == 0 ? Home.CYCLIC : Home.ROOT, rules);
    }

    private static Subject<Msg> node(int self, Home home, WeakRules rules) {
        FakeContext context = new FakeContext(self, Protocol.WEAK, 16, home);
        context.updates(UpdateRules.DEFAULT.withWeak(rules.pooled()));
        return new Subject<>(context, PooledWeak::new);
    }

    private static Subject<Msg> noticed(Subject<Msg> subject) {
        return WeakState.acquire(subject).poolDone(new PoolResult.Listed(List.of(PAGE)));
    }

    private static PoolResult in(Entry entry) {
        return new PoolResult.Entered(PAGE, entry);
    }

    private static Effect use(PoolCall call) {
        return new Effect.UsePool(Protocol.WEAK, call);
    }

    private static PoolCall.Stores stores(long number, boolean areSaved, boolean announces) {
        return new PoolCall.Stores(PAGE, number, areSaved, announces);
    }

    private static Effect publish(PoolCall.Stores stores) {
        return use(new PoolCall.Publish(List.of(stores)));
    }

    private static PoolResult published(PoolCall.Stores stores, PageId... unsafe) {
        return new PoolResult.Published(List.of(stores), List.of(unsafe));
    }

    @Test
    void firstFault_offersTheRegionToTraps() {
        Of.ABSENT.subject().readFault().expect(OFFER, ENTER).expectState("Mapping");
    }

    @Test
    void prefetchOfAbsentPage_copiesItForNobody() {
        Subject<Msg> subject = Of.ABSENT.subject().readFault(PAGE.plus(1)).quietly();
        subject.prefetch(1, Mode.READ)
                .expect(ENTER, count(NodeCounter.PAGES_AHEAD))
                .poolDone(in(Entry.SAFE))
                .expect(count(NodeCounter.PAGES_FETCHED), INSTALL)
                .expectState("Clean");
        subject.writeFault()
                .expect(
                        count(NodeCounter.PREFETCH_HITS),
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void prefetchOfAPageThatATrapEnters_isLate() {
        Of.ABSENT
                .subject()
                .prefetch(1, Mode.READ)
                .quietly()
                .poolDone(in(Entry.BY_TRAP))
                .expect()
                .entered(false)
                .expect(count(NodeCounter.PREFETCHES_LATE), count(NodeCounter.PAGES_FETCHED))
                .expectState("Clean");
    }

    @ParameterizedTest
    @EnumSource(value = Of.class, names = "ABSENT", mode = EnumSource.Mode.EXCLUDE)
    void prefetchOfAnyOtherPage_isUnnecessary(Of state) {
        state.subject()
                .prefetch(1, Mode.READ)
                .expect(count(NodeCounter.PREFETCHES_UNNECESSARY))
                .expectState(state.text());
    }

    @Test
    void enteredPage_isCopiedForItsThreads() {
        Of.MAPPING
                .subject()
                .poolDone(in(Entry.SAFE))
                .expect(count(NodeCounter.PAGES_FETCHED), INSTALL, resume(PageAccess.READ))
                .expectState("Clean");
        Of.MAPPING
                .subject()
                .writeFault()
                .poolDone(in(Entry.SAFE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        INSTALL,
                        MAKE_TWIN,
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE))
                .expectState("Dirty");
    }

    @Test
    void trap_entersAnAbsentPageByItself() {
        Of.ABSENT
                .subject()
                .entered(false)
                .expect(count(NodeCounter.PAGES_FETCHED))
                .expectState("Clean");
    }

    @Test
    void pageThatATrapIsEntering_resumesTheOthersWhenItHas() {
        Of.MAPPING
                .subject()
                .poolDone(in(Entry.BY_TRAP))
                .expect()
                .expectState("Mapping")
                .writeFault()
                .entered(false)
                .expect(resume(PageAccess.READ), count(NodeCounter.PAGES_FETCHED))
                .expectState("Clean");
    }

    @Test
    void unsafePage_isCheckedAtEachAcquire() {
        for (Subject<Msg> unsafe :
                List.of(
                        Of.MAPPING.subject().poolDone(in(Entry.UNSAFE)),
                        Of.ABSENT.subject().entered(true))) {
            WeakState.acquire(unsafe.quietly())
                    .expect(TAKE)
                    .poolDone(new PoolResult.Listed(List.of()))
                    .expect(CHECK)
                    .passNanos(1_000_000_000)
                    .poolDone(new PoolResult.Checked(List.of(PAGE)))
                    .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                    .withdrawn()
                    .expect(discard(), LEAVE)
                    .expectAcquired(WeakState.TOKEN);
        }
    }

    @Test
    void copyWhosePageWasNoticedBefore_isDiscardedByTheNextAcquire() {
        WeakState.acquire(noticed(Of.ABSENT.subject()).entered(false).quietly())
                .expect(TAKE)
                .passNanos(1_000_000_000)
                .poolDone(new PoolResult.Listed(List.of()))
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .withdrawn()
                .expect(discard(), LEAVE)
                .expectAcquired(WeakState.TOKEN);
    }

    @Test
    void noticeOfAnAbsentPage_isForgottenWhenTheNodeEntersItByItself() {
        Subject<Msg> entered =
                noticed(Of.ABSENT.subject())
                        .expectAcquired(WeakState.TOKEN)
                        .readFault()
                        .poolDone(in(Entry.SAFE))
                        .quietly();
        WeakState.acquire(entered)
                .expect(TAKE)
                .poolDone(new PoolResult.Listed(List.of()))
                .expect()
                .expectAcquired(WeakState.TOKEN);
    }

    @Test
    void release_publishesBeforeItIsPerformed() {
        PoolCall.Stores stores = stores(1, true, true);
        Of.DIRTY
                .subject()
                .release(LEAVING)
                .expect(TAKE_MAPPED)
                .poolDone(NOT_MAPPED)
                .expect(
                        count(NodeCounter.FLUSHES),
                        access(PageAccess.READ),
                        new Effect.SaveDiff(PAGE, 1, false))
                .saved(1, 2)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        publish(stores),
                        new Effect.DropDiff(PAGE, 1))
                .expectPerformed()
                .poolDone(published(stores))
                .expectPerformed(LEAVING)
                .expectState("Clean");
    }

    @Test
    void releaseWithoutStores_publishesNothing() {
        Of.DIRTY
                .subject()
                .release(LEAVING)
                .expect(TAKE_MAPPED)
                .poolDone(NOT_MAPPED)
                .quietly()
                .saved(1, 0)
                .expect(count(NodeCounter.DIFFS_EMPTY), DROP_TWIN)
                .expectPerformed(LEAVING);
    }

    @Test
    void publisherOfAPageThatBecomesUnsafe_checksIt() {
        PoolCall.Stores stores = stores(1, true, true);
        Subject<Msg> unsafe =
                Of.DIRTY
                        .subject()
                        .release(LEAVING)
                        .expect(TAKE_MAPPED)
                        .poolDone(NOT_MAPPED)
                        .saved(1, 2)
                        .poolDone(published(stores, PAGE))
                        .quietly();
        WeakState.acquire(unsafe)
                .expect(TAKE)
                .poolDone(new PoolResult.Listed(List.of()))
                .expect(CHECK);
    }

    @Test
    void immediateTransition_publishesTheFirstStoreAndWritesBackAtTheRelease() {
        PoolCall.Stores first = stores(1, false, true);
        node(1, WeakState.IMMEDIATE)
                .entered(false)
                .quietly()
                .twinMade()
                .expect(count(NodeCounter.TWINS_MADE), publish(first))
                .poolDone(published(first))
                .release(LEAVING)
                .expect(TAKE_MAPPED)
                .poolDone(NOT_MAPPED)
                .quietly()
                .saved(2, 1)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        DROP_TWIN,
                        publish(stores(2, true, false)),
                        new Effect.DropDiff(PAGE, 2));
    }

    @Test
    void notice_discardsTheCopyAndLeavesThePage() {
        Of.WITHDRAWING
                .subject()
                .withdrawn()
                .expect(discard(), LEAVE)
                .expectAcquired(WeakState.TOKEN)
                .expectState("Absent");
        Of.WITHDRAWING
                .subject()
                .writeFault()
                .withdrawn()
                .expect(discard(), LEAVE, ENTER)
                .expectState("Mapping");
    }

    @Test
    void noticeOfADirtyPage_publishesItBeforeItIsLeft() {
        PoolCall.Stores stores = stores(1, true, true);
        Of.CLOSING
                .subject()
                .withdrawn()
                .expect(new Effect.SaveDiff(PAGE, 1, false))
                .saved(1, 3)
                .expect(
                        count(NodeCounter.DIFFS_MADE),
                        publish(stores),
                        new Effect.DropDiff(PAGE, 1),
                        DROP_TWIN,
                        discard(),
                        LEAVE)
                .expectAcquired(WeakState.TOKEN);
    }

    @Test
    void withdrawalFromATrapThatEnters_isRepeated() {
        Of.WITHDRAWING
                .subject()
                .refused()
                .expect(Subject.arm(RefusedPages.FIRST_NANOS))
                .holdOver()
                .expect(WITHDRAW);
    }

    @Test
    void endOfTheInitialization_fillsTheFrames() {
        Of.INITIAL
                .subject()
                .sealed()
                .expect(
                        WITHDRAW,
                        use(new PoolCall.Offer(new PageId(0, 1), 2)),
                        use(new PoolCall.Offer(new PageId(0, 4), 12)))
                .expectState("Withdrawing")
                .withdrawn()
                .expect(FILL, discard(), use(new PoolCall.Offer(PAGE, 1)))
                .expectState("Absent");
        Of.INITIAL.subject().sealed().readFault().withdrawn().quietly().expectState("Mapping");
        Of.IDLE
                .subject()
                .sealed()
                .expect(use(new PoolCall.Offer(new PageId(0, 1), 15)))
                .expectState("Absent");
    }

    @Test
    void home_publishesNothingUntilAnotherNodeHasEntered() {
        PoolCall.Stores stores = stores(1, false, true);
        home().readFault()
                .expect(resume(PageAccess.READ_WRITE))
                .expectState("HomeSole")
                .release(LEAVING)
                .expect(TAKE_MAPPED)
                .expectPerformed()
                .poolDone(NOT_MAPPED)
                .expect()
                .expectPerformed(LEAVING)
                .release(LEAVING)
                .expect(TAKE_MAPPED)
                .poolDone(MAPPED)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), publish(stores))
                .expectPerformed()
                .poolDone(published(stores))
                .expectPerformed(LEAVING)
                .expectState("HomeClean");
    }

    @Test
    void homeOfAMappedPage_publishesItsStoresInPlace() {
        PoolCall.Stores stores = stores(1, false, true);
        Of.HOME_CLEAN
                .subject()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .expectState("HomeDirty")
                .release(LEAVING)
                .expect(TAKE_MAPPED)
                .poolDone(NOT_MAPPED)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), publish(stores))
                .poolDone(published(stores))
                .expectPerformed(LEAVING)
                .expectState("HomeClean");
    }

    @Test
    void homeOfAPublishedPage_publishesItNoMoreUntilAnotherNodeHasEntered() {
        PoolCall.Stores first = stores(1, false, true);
        PoolCall.Stores second = stores(2, false, true);
        Of.HOME_DIRTY
                .subject()
                .release(LEAVING)
                .poolDone(NOT_MAPPED)
                .poolDone(published(first))
                .writeFault()
                .quietly()
                .expectState("HomeSole")
                .release(LEAVING)
                .poolDone(NOT_MAPPED)
                .quietly()
                .expectState("HomeSole")
                .release(LEAVING)
                .expect(TAKE_MAPPED)
                .poolDone(MAPPED)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), publish(second));
    }

    @Test
    void home_needsNoTwin() {
        Of.HOME_CLEAN
                .subject()
                .twinMade()
                .expect(DROP_TWIN, access(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
    }

    @Test
    void home_keepsItsFrameWhateverIsPublished() {
        for (Of of : List.of(Of.HOME_SOLE, Of.HOME_CLEAN, Of.HOME_DIRTY)) {
            noticed(of.subject()).expectAcquired(WeakState.TOKEN).expectState(of.text());
        }
    }

    @Test
    void sealedFrameOfTheRoot_staysWritable() {
        node(0, Home.ROOT, WeakRules.DEFAULT).writeFault().sealed().expectState("HomeSole");
    }

    @Test
    void fault_beforeTheInitializationEnds_offersNothing() {
        Of.IDLE.subject().writeFault().expect(resume(PageAccess.READ_WRITE)).expectState("Initial");
    }

    @ParameterizedTest
    @EnumSource(Of.class)
    void impossibleEvents_areViolations(Of of) {
        if (of != Of.ABSENT && of != Of.MAPPING) {
            Subject<Msg> subject = of.subject();
            subject.expectViolation(of.text(), () -> subject.entered(false), "PageEntered");
        }
        if (of != Of.MAPPING) {
            Subject<Msg> subject = of.subject();
            subject.expectViolation(of.text(), () -> subject.poolDone(in(Entry.SAFE)), "entered");
        }
        if (of != Of.CLEAN && of != Of.WITHDRAWING && of != Of.HOME_CLEAN) {
            Subject<Msg> subject = of.subject();
            subject.expectViolation(of.text(), subject::twinMade, "TwinMade");
        }
    }

    @Test
    void message_isAViolation() {
        assertThrows(
                ProtocolViolation.class,
                () -> Of.CLEAN.subject().message(2, new Leave(List.of(PAGE))));
    }

    @Test
    void loss_poisonsThePagesForWhichThreadsWait() {
        Of.MAPPING.subject().peerLost(2).expect(Subject.poison());
        Of.ABSENT.subject().peerLost(2).quietly().readFault().expect(OFFER, Subject.poison());
    }
}
