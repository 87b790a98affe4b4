package io.muninn.coherence.homebased;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.arm;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.homebased.HomeBasedState.OF_2;
import static io.muninn.coherence.homebased.HomeBasedState.TOKEN;
import static io.muninn.coherence.homebased.HomeBasedState.answer;
import static io.muninn.coherence.homebased.HomeBasedState.claim;
import static io.muninn.coherence.homebased.HomeBasedState.flush;
import static io.muninn.coherence.homebased.HomeBasedState.noticed;
import static io.muninn.coherence.homebased.HomeBasedState.of;
import static io.muninn.coherence.homebased.HomeBasedState.reply;
import static io.muninn.coherence.homebased.HomeBasedState.request;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushAck;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.GrantedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFound;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeGrant;
import io.muninn.coherence.homebased.HomeBasedMessages.Msg;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.BarrierId;
import io.muninn.model.PageAccess;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Pages whose home is the node that stores first: the root decides, nodes 1 and 2 store, and node 1
 * becomes the home.
 */
class FirstTouchTest {
    private static final GatedRelease LEAVING =
            new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);
    private static final HomeGrant WITH_IMAGE = grant(new Payload.PageImage(PAGE));
    private static final HomeGrant WITHOUT = grant(Payload.NONE);
    private static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);

    private static HomeGrant grant(Payload image) {
        return new HomeGrant(List.of(new GrantedPage(PAGE, image)));
    }

    private static Subject<Msg> root() {
        return of(0, Home.FIRST_TOUCH).sealed().quietly();
    }

    /** Node 1 is the home already. */
    private static Subject<Msg> rootThatForwards() {
        return root().message(1, claim(1)).quietly();
    }

    private static Subject<Msg> one() {
        return of(1, Home.FIRST_TOUCH);
    }

    private static Subject<Msg> clean() {
        return one().readFault().message(0, reply(AppliedDiffs.EMPTY)).quietly();
    }

    /** Has flushed its first store to the root. */
    private static Subject<Msg> flushed() {
        return clean().writeFault().leave(LEAVING).saved(1, 1).quietly();
    }

    private static void expectHome(int home, Subject<Msg> subject) {
        assertEquals(node(home), subject.protocol.snapshot(PAGE).probableOwner());
    }

    // who claims

    @Test
    void storeToAnUnknownPage_claimsIt() {
        one().writeFault().expect(send(0, claim(1)));
        one().readFault().expect(send(0, request(1, AppliedDiffs.EMPTY)));
        one().prefetch(1, Mode.WRITE)
                .expect(count(NodeCounter.PAGES_AHEAD), send(0, request(1, AppliedDiffs.EMPTY)));
    }

    @Test
    void storeToAPageThatOthersHaveStoredTo_claimsNothing() {
        noticed(clean()).withdrawn().quietly().writeFault().expect(send(0, request(1, OF_2)));
    }

    // the root decides

    @Test
    void firstClaim_getsTheHomeAndTheContent() {
        Subject<Msg> root = root();

        root.message(1, claim(1)).expect(count(NodeCounter.PAGES_SENT), send(1, WITH_IMAGE));

        expectHome(1, root);
        root.message(2, claim(2)).expect(count(NodeCounter.FORWARDS), send(1, claim(2)));
    }

    @Test
    void firstFlush_getsTheHomeAndIsNotApplied() {
        Subject<Msg> root = root().readFault().quietly();

        root.message(1, flush(1)).expect(send(1, WITHOUT)).expectState("Clean");

        expectHome(1, root);
        root.message(2, flush(2)).expect(count(NodeCounter.FORWARDS), send(1, flush(2)));
        root.message(1, flush(1)).expect(); // the home contains it
    }

    @Test
    void flushThatIsForwarded_isAcknowledgedByTheRoot() {
        HomeFlush asking = new HomeFlush(node(2), 1, true, flush(2).flushed());

        rootThatForwards()
                .message(2, asking)
                .expect(count(NodeCounter.FORWARDS), send(1, flush(2)), send(2, new FlushAck()));
    }

    @Test
    void storeOfTheRoot_decidesForTheRoot() {
        Subject<Msg> byFault = root().writeFault().quietly();
        byFault.message(1, flush(1)).expect(new Effect.ApplyDiff(PAGE, IMAGE));
        expectHome(0, byFault);

        Subject<Msg> byTrap = root().readFault().twinMade().quietly();
        byTrap.message(1, claim(1))
                .expect(count(NodeCounter.PAGES_SENT), send(1, answer(AppliedDiffs.EMPTY)));
        Subject<Msg> whileWithdrawn = noticed(root().readFault()).twinMade().quietly();
        whileWithdrawn.message(2, flush(2)).expect(new Effect.ApplyDiff(PAGE, IMAGE));
    }

    @Test
    void loadsOfTheRoot_decideNothing() {
        root().readFault().quietly().message(1, claim(1)).quietly().expectState("Clean");
        root().message(1, claim(1)).quietly().expectState("Idle");
    }

    @Test
    void decisionWhileTheRootWaitsForTheFlush_asksTheNewHome() {
        Subject<Msg> withdrawing = noticed(root().readFault());
        withdrawing.message(1, flush(1)).quietly().expectState("Withdrawing").withdrawn();
        withdrawing.expectState("Stale").expectAcquired(TOKEN);

        noticed(root().readFault())
                .withdrawn()
                .readFault()
                .quietly()
                .message(1, flush(1))
                .expect(send(1, WITHOUT), send(1, request(0, OF_2)))
                .expectState("Fetching");
    }

    @Test
    void requestsThatTheRootHasDeferred_followTheGrant() {
        AppliedDiffs needed = AppliedDiffs.EMPTY.with(node(1), 1);

        root().message(2, request(2, needed))
                .message(1, request(1, needed)) // before its own flush, which waits
                .expect()
                .message(1, flush(1))
                .expect(send(1, WITHOUT), count(NodeCounter.FORWARDS), send(1, request(2, needed)));
    }

    @Test
    void requestOfTheNewHome_endsWithTheGrant() {
        rootThatForwards().message(1, request(1, OF_2)).expect();
    }

    // the new home

    @Test
    void grantOfAClaim_letsTheStoreIn() {
        one().writeFault()
                .quietly()
                .message(0, grant(IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
    }

    @Test
    void grantOfAFlush_keepsWhatThreadsMayDo() {
        flushed().message(0, WITHOUT).expect().expectState("HomeClean");
        flushed()
                .writeFault()
                .quietly()
                .message(0, WITHOUT)
                .expect(DROP_TWIN)
                .expectState("HomeDirty");
    }

    @Test
    void grantThatMeetsANotice_waitsForTheFlushThatItNames() {
        noticed(flushed())
                .quietly()
                .message(0, WITHOUT)
                .expect()
                .expectState("HomeWithdrawing")
                .withdrawn()
                .expectState("HomeStale")
                .expectAcquired(TOKEN);
        noticed(flushed()).withdrawn().message(0, WITHOUT).expectState("HomeStale");
        noticed(flushed())
                .withdrawn()
                .readFault()
                .message(0, WITHOUT)
                .expectState("HomeStale")
                .quietly()
                .message(0, flush(2))
                .expect(
                        new Effect.ApplyDiff(PAGE, IMAGE),
                        resume(PageAccess.READ),
                        send(2, new HomeFound(1, List.of(PAGE))));
        noticed(flushed())
                .withdrawn()
                .prefetch(1, Mode.READ)
                .message(0, WITHOUT)
                .expectState("HomeStale");
    }

    @Test
    void grantThatMeetsAWithdrawalWithATwin_listsWhatThreadsStoreUntilItIsDone() {
        Subject<Msg> subject = noticed(flushed().writeFault()).quietly();

        subject.message(0, WITHOUT).expect(DROP_TWIN).expectState("HomeWithdrawing");

        long listed = subject.context.clock().interval();
        subject.withdrawn().leave(LEAVING);
        assertEquals(listed + 1, subject.context.clock().interval());
        subject.expectState("HomeStale");
    }

    @Test
    void grantThatEndsAFetch_letsTheAcquireGoOnThatWaitsForIt() {
        Subject<Msg> subject = noticed(flushed()).withdrawn().readFault();
        for (int writer = 4; writer <= 6; writer++) { // the last waits: the need has grown twice
            subject.acquire(
                    TOKEN,
                    writer,
                    HomeBasedState.noticeOf(writer),
                    subject.context.clock().have().with(node(writer), 1));
        }
        subject.quietly();

        subject.message(0, WITHOUT).expect(arm(FakeContext.HOLD_NANOS)).expectAcquired();

        subject.holdOver().expectAcquired(TOKEN);
    }

    @Test
    void grantThatNobodyHasAskedFor_isImpossible() {
        Subject<Msg> absent = one();
        absent.expectViolation("Absent", () -> absent.message(0, WITHOUT), "HomeGrant");
        Subject<Msg> home = flushed().message(0, WITHOUT).quietly();
        home.expectViolation("HomeClean", () -> home.message(0, WITHOUT), "HomeGrant");
    }

    // who learns it

    @Test
    void replyOfTheHome_tellsWhereItIs() {
        Subject<Msg> subject = of(2, Home.FIRST_TOUCH).readFault().message(1, reply(OF_2));
        expectHome(1, subject);
        expectHome(0, one().readFault().message(0, reply(AppliedDiffs.EMPTY)));
    }

    @Test
    void homeThatHasTheLastFlush_isToldTheNext() {
        HomeFound found = new HomeFound(1, List.of(PAGE));
        Subject<Msg> subject = flushed().message(2, found);
        expectHome(2, subject);

        subject.writeFault()
                .leave(LEAVING)
                .quietly()
                .saved(2, 0)
                .expect(
                        count(NodeCounter.DIFFS_EMPTY),
                        DROP_TWIN,
                        send(
                                2,
                                new HomeFlush(
                                        node(1),
                                        2,
                                        false,
                                        List.of(new FlushedPage(PAGE, Payload.NONE)))));
    }

    @Test
    void homeThatLacksAFlushOnItsWayByTheRoot_isNotToldTheNext() {
        Subject<Msg> subject = flushed().writeFault().leave(LEAVING).saved(2, 1);

        subject.message(2, new HomeFound(1, List.of(PAGE)));

        expectHome(0, subject);
    }

    @Test
    void homeByPolicy_isNeverDecided() {
        Subject<Msg> subject = of(0, Home.ROOT).sealed();
        subject.message(1, flush(1)).quietly();
        expectHome(0, subject);
        of(1, Home.ROOT).writeFault().expect(send(0, request(1, AppliedDiffs.EMPTY)));
    }

    @Test
    void flushThatALaterOneHasOvertaken_isImpossible() {
        Subject<Msg> home = flushed().message(0, WITHOUT).message(0, flush(2)).quietly();

        home.expectViolation("HomeClean", () -> home.message(0, flush(2)), "HomeFlush");
    }

    @Test
    void forwardedFlushAtTheHome_isAppliedAsItsWriters() {
        Subject<Msg> home = flushed().message(0, WITHOUT).quietly();

        home.message(0, flush(2))
                .expect(new Effect.ApplyDiff(PAGE, IMAGE), send(2, new HomeFound(1, List.of(PAGE))))
                .message(2, request(2, OF_2))
                .expect(count(NodeCounter.PAGES_SENT), send(2, answer(OF_2.with(node(1), 1))));
    }
}
