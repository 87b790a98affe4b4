package io.muninn.coherence.homebased;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.homebased.HomeBasedState.AHEAD;
import static io.muninn.coherence.homebased.HomeBasedState.CLEAN;
import static io.muninn.coherence.homebased.HomeBasedState.FETCHING;
import static io.muninn.coherence.homebased.HomeBasedState.HOME;
import static io.muninn.coherence.homebased.HomeBasedState.HOME_STALE;
import static io.muninn.coherence.homebased.HomeBasedState.OF_2;
import static io.muninn.coherence.homebased.HomeBasedState.STALE;
import static io.muninn.coherence.homebased.HomeBasedState.TOKEN;
import static io.muninn.coherence.homebased.HomeBasedState.UNFILLED;
import static io.muninn.coherence.homebased.HomeBasedState.noticed;
import static io.muninn.coherence.homebased.HomeBasedState.of;
import static io.muninn.coherence.homebased.HomeBasedState.reply;
import static io.muninn.coherence.homebased.HomeBasedState.request;
import static io.muninn.model.MappingId.FIRST;

import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.Subject;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseReply;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseRequest;
import io.muninn.coherence.homebased.HomeBasedMessages.Copy;
import io.muninn.coherence.homebased.HomeBasedMessages.Msg;
import io.muninn.coherence.homebased.HomeBasedMessages.NeededPage;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionReply;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
import io.muninn.directory.AppliedDiffs;
import io.muninn.kernel.Counted;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Home-based pages that are requested before threads need them: the state Ahead and its ends. */
class HomedAheadTest {
    private static final Effect WITHDRAW = new Effect.Withdraw(FIRST, PAGE, 1);

    private static VersionRequest requestOf(PageId... pages) {
        return new VersionRequest(
                node(1),
                Arrays.stream(pages)
                        .map(page -> new NeededPage(page, false, AppliedDiffs.EMPTY))
                        .toList());
    }

    /** A prefetched copy that is present and unused. */
    private static Subject<Msg> unused() {
        return AHEAD.subject().message(HOME, reply(AppliedDiffs.EMPTY)).quietly();
    }

    @Test
    void prefetchOfAMissingPage_asksForWhatItNeeds() {
        STALE.subject()
                .prefetch(1, Mode.READ)
                .expect(count(NodeCounter.PAGES_AHEAD), send(HOME, request(1, OF_2)))
                .expectState("Ahead");
    }

    @Test
    void prefetchOfSeveralPages_asksEachHomeOnce() {
        PageId last = PAGE.plus(2);
        of(1, Home.ROOT)
                .prefetch(3, Mode.WRITE)
                .expect(
                        new Counted(NodeCounter.PAGES_AHEAD, 3),
                        send(0, requestOf(PAGE, PAGE.plus(1), last)));
        of(1, Home.CYCLIC)
                .prefetch(2, Mode.READ)
                .expect(
                        count(NodeCounter.PAGES_AHEAD),
                        send(HOME, requestOf(PAGE)),
                        count(NodeCounter.PAGES_AHEAD),
                        send(HOME + 1, requestOf(PAGE.plus(1))));
    }

    @Test
    void prefetchOfWhatIsHereOrUnderWay_isUnnecessary() {
        for (HomeBasedState state : List.of(CLEAN, FETCHING, AHEAD, HOME_STALE)) {
            state.subject()
                    .prefetch(1, Mode.READ)
                    .expect(count(NodeCounter.PREFETCHES_UNNECESSARY));
        }
    }

    @Test
    void prefetchAtAHomeWithoutContent_asksTheRoot() {
        UNFILLED.subject()
                .prefetch(1, Mode.READ)
                .expect(count(NodeCounter.PAGES_AHEAD), send(0, new BaseRequest(PAGE)))
                .message(0, new BaseReply(PAGE, IMAGE))
                .expect(count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE))
                .expectState("HomeClean")
                .readFault()
                .expect(resume(PageAccess.READ), count(NodeCounter.PREFETCH_HITS));
    }

    @Test
    void prefetchAfterALoss_asksNobody() {
        HomeBasedState.ABSENT.subject().peerLost(7).prefetch(1, Mode.READ).expect();
    }

    @Test
    void copyThatComesAhead_givesNoAccessUntilItIsUsed() {
        AHEAD.subject()
                .message(HOME, reply(AppliedDiffs.EMPTY))
                .expect(count(NodeCounter.PAGES_FETCHED), discard(), install(PageAccess.NONE))
                .expectState("Clean")
                .readFault()
                .expect(resume(PageAccess.READ), count(NodeCounter.PREFETCH_HITS));
    }

    @Test
    void faultOnAPageUnderWay_waitsForIt() {
        AHEAD.subject()
                .writeFault()
                .expect(count(NodeCounter.PREFETCHES_LATE))
                .expectState("Fetching")
                .message(HOME, reply(AppliedDiffs.EMPTY))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        discard(),
                        install(PageAccess.NONE),
                        new Effect.MakeTwin(PAGE),
                        count(NodeCounter.TWINS_MADE),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void acquireThatOvertakesAPrefetch_makesItUseless() {
        noticed(AHEAD.subject())
                .expect()
                .expectAcquired(TOKEN)
                .message(HOME, reply(AppliedDiffs.EMPTY))
                .expect(count(NodeCounter.PREFETCHES_INVALIDATED))
                .expectState("Stale");
        noticed(AHEAD.subject()).message(HOME, reply(OF_2)).expectState("Clean");
        noticed(AHEAD.subject())
                .readFault()
                .quietly()
                .message(HOME, reply(AppliedDiffs.EMPTY))
                .expect(send(HOME, request(1, OF_2)));
    }

    @Test
    void acquireThatEndsAnUnusedCopy_isCounted() {
        noticed(unused())
                .expect(
                        count(NodeCounter.PREFETCHES_INVALIDATED),
                        count(NodeCounter.INVALIDATIONS),
                        WITHDRAW);
    }

    @Test
    void copyOlderThanARequestAhead_isImpossible() {
        Subject<Msg> subject = STALE.subject().prefetch(1, Mode.READ).quietly();
        subject.expectViolation(
                "Ahead", () -> subject.message(HOME, reply(AppliedDiffs.EMPTY)), "VersionReply");
    }

    @Test
    void homeAnswers_whatItHasInOneMessageAndTheRestLater() {
        PageId next = PAGE.plus(1);
        PageId late = PAGE.plus(2);
        VersionRequest several =
                new VersionRequest(
                        node(1),
                        List.of(
                                new NeededPage(PAGE, false, AppliedDiffs.EMPTY),
                                new NeededPage(late, false, OF_2),
                                new NeededPage(next, false, AppliedDiffs.EMPTY)));

        of(0, Home.ROOT)
                .sealed()
                .message(1, several)
                .expect(
                        new Counted(NodeCounter.PAGES_SENT, 2),
                        send(1, new VersionReply(List.of(copy(PAGE), copy(next)))));
    }

    @Test
    void imagesThatDoNotFit_areInTheNextMessage() {
        Subject<Msg> home = of(0, Home.ROOT).sealed();
        home.context.updates(
                UpdateRules.PLAIN.withLimits(
                        new MessageLimits(1, 1, 2 * RegionSpec.MACHINE_PAGE_BYTES, 1)));

        home.message(1, requestOf(PAGE, PAGE.plus(1)))
                .expect(
                        new Counted(NodeCounter.PAGES_SENT, 2),
                        send(1, new VersionReply(List.of(copy(PAGE), copy(PAGE.plus(1))))))
                .message(1, requestOf(PAGE, PAGE.plus(1), PAGE.plus(2)))
                .expect(
                        new Counted(NodeCounter.PAGES_SENT, 3),
                        send(1, new VersionReply(List.of(copy(PAGE), copy(PAGE.plus(1))))),
                        send(1, new VersionReply(List.of(copy(PAGE.plus(2))))));
    }

    private static Copy copy(PageId page) {
        return new Copy(page, AppliedDiffs.EMPTY, new Payload.LiveImage(page));
    }

    @Test
    void faultsInOrder_readAhead() {
        Subject<Msg> subject = of(1, Home.ROOT);
        subject.context.updates(UpdateRules.PLAIN.withReadAhead(new ReadAheadRules(4, 1)));

        subject.readFault()
                .expect(
                        send(0, request(1, AppliedDiffs.EMPTY)),
                        new Counted(NodeCounter.PAGES_AHEAD, 4),
                        send(0, requestOf(PAGE.plus(1), PAGE.plus(2), PAGE.plus(3), PAGE.plus(4))));
    }
}
