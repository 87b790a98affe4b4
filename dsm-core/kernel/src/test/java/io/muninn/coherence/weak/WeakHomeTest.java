package io.muninn.coherence.weak;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.weak.WeakState.CENTRALIZED;
import static io.muninn.coherence.weak.WeakState.FILLING;
import static io.muninn.coherence.weak.WeakState.HOME;
import static io.muninn.coherence.weak.WeakState.HOME_CLEAN;
import static io.muninn.coherence.weak.WeakState.HOME_DIRTY;
import static io.muninn.coherence.weak.WeakState.IDLE_HOME;
import static io.muninn.coherence.weak.WeakState.IMMEDIATE;
import static io.muninn.coherence.weak.WeakState.PUBLISH;
import static io.muninn.coherence.weak.WeakState.TOKEN;
import static io.muninn.coherence.weak.WeakState.UNFILLED;
import static io.muninn.coherence.weak.WeakState.acquire;
import static io.muninn.coherence.weak.WeakState.entered;
import static io.muninn.coherence.weak.WeakState.home;
import static io.muninn.coherence.weak.WeakState.notices;
import static io.muninn.coherence.weak.WeakState.of;
import static io.muninn.coherence.weak.WeakState.publish;
import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.coherence.Subject;
import io.muninn.coherence.weak.WeakMessages.CheckReply;
import io.muninn.coherence.weak.WeakMessages.CheckRequest;
import io.muninn.coherence.weak.WeakMessages.ContentReply;
import io.muninn.coherence.weak.WeakMessages.ContentRequest;
import io.muninn.coherence.weak.WeakMessages.EnterRequest;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.ListPost;
import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.ListRequest;
import io.muninn.coherence.weak.WeakMessages.Listed;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.coherence.weak.WeakMessages.Notices;
import io.muninn.coherence.weak.WeakMessages.NoticesAck;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.PublishedPage;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.model.BarrierId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WeakRules;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cells of the table of {@link Weak} at the page's home, and what a home sends. */
class WeakHomeTest {
    private static final GatedRelease LEAVING =
            new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);
    private static final List<PageId> PAGES = List.of(PAGE);
    private static final Effect APPLY = new Effect.ApplyDiff(PAGE, IMAGE);
    private static final Effect NOTICES_TO_2 = send(2, new Notices(PAGES));
    private static final WeakRules SOON_UNSAFE = notices(WeakRules.Notices.PUBLISH, 0, 1);

    private static Subject<Msg> entering(Subject<Msg> subject, int... nodes) {
        for (int node : nodes) {
            subject.message(node, new EnterRequest(PAGE));
        }
        return subject.quietly();
    }

    private static Effect ack(int to) {
        return send(to, new PublishAck(1));
    }

    // content

    @Test
    void faultAtAHomeWithoutContent_asksTheRoot() {
        UNFILLED.subject().readFault().expect(send(0, new ContentRequest(PAGE)));
        UNFILLED.subject().writeFault().expect(send(0, new ContentRequest(PAGE)));
        FILLING.subject()
                .writeFault()
                .expect()
                .message(0, new ContentReply(PAGE, true, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
    }

    @Test
    void prefetchAtAHomeWithoutContent_asksTheRoot() {
        UNFILLED.subject()
                .prefetch(1, Mode.READ)
                .expect(send(0, new ContentRequest(PAGE)), count(NodeCounter.PAGES_AHEAD))
                .message(0, new ContentReply(PAGE, true, IMAGE))
                .expect(count(NodeCounter.PAGES_FETCHED), install(PageAccess.NONE))
                .expectState("HomeClean")
                .readFault()
                .expect(count(NodeCounter.PREFETCH_HITS), resume(PageAccess.READ));
    }

    @Test
    void mappersOfAnEmptyFrame_areEnteredWhenItHasItsContent() {
        UNFILLED.subject()
                .message(1, new EnterRequest(PAGE))
                .expect(send(0, new ContentRequest(PAGE)))
                .message(2, new EnterRequest(PAGE))
                .expect()
                .message(0, new ContentReply(PAGE, false, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        count(NodeCounter.PAGES_SENT),
                        send(1, entered(false, false)),
                        count(NodeCounter.PAGES_SENT),
                        send(2, entered(false, false)))
                .expectState("HomeClean");
    }

    @Test
    void rootThatKeepsItsCopy_getsNotices() {
        FILLING.subject()
                .message(0, new ContentReply(PAGE, true, IMAGE))
                .quietly()
                .message(2, publish(1))
                .expect(APPLY, send(0, new Notices(PAGES)), NOTICES_TO_2);
    }

    @Test
    void rootThatKeepsItsCopy_isEnteredBeforeTheHomeAnnouncesAStore() {
        of(HOME, Home.CYCLIC, IMMEDIATE)
                .writeFault()
                .quietly()
                .message(0, new ContentReply(PAGE, true, IMAGE))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        send(0, new Notices(PAGES)),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void publicationOfTheRootBeforeTheContent_isInIt() {
        UNFILLED.subject().message(0, publish(1)).expect(ack(0)).expectState("Unfilled");
        FILLING.subject().message(0, publish(1)).expect(ack(0)).expectState("Filling");
        Subject<Msg> subject = FILLING.subject();
        subject.expectViolation("Filling", () -> subject.message(2, publish(1)), "Publish");
    }

    @Test
    void untouchedFrameOfTheRoot_isServedAsZerosAndFilledForAPublication() {
        IDLE_HOME
                .subject()
                .message(1, new EnterRequest(PAGE))
                .expect(count(NodeCounter.PAGES_SENT), send(1, entered(false, false)))
                .expectState("Idle")
                .message(1, publish(1))
                .expect(
                        new Effect.InstallPage(FIRST, PAGE, Payload.ZERO_PAGE, PageAccess.NONE),
                        APPLY,
                        ack(1))
                .expectState("HomeClean");
    }

    // the home's own accesses

    @Test
    void storeOfTheHome_isPublishedByItsRelease() {
        Subject<Msg> subject = entering(home(PUBLISH), 2);
        subject.writeFault()
                .expect(resume(PageAccess.READ_WRITE))
                .release(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), NOTICES_TO_2)
                .expectPerformed()
                .expectState("HomeClean")
                .message(2, new NoticesAck())
                .expectPerformed(LEAVING);
    }

    @Test
    void storeOfTheHomeByATrap_dropsItsTwin() {
        HOME_CLEAN
                .subject()
                .twinMade()
                .expect(new Effect.DropTwin(PAGE), access(PageAccess.READ_WRITE))
                .expectState("HomeDirty");
    }

    @Test
    void storeOfTheHomeWithImmediateTransitions_isAnnouncedAtOnce() {
        Subject<Msg> subject = entering(home(IMMEDIATE), 2);
        subject.writeFault()
                .expect(NOTICES_TO_2, resume(PageAccess.READ_WRITE))
                .release(LEAVING)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ))
                .expectPerformed()
                .message(2, new NoticesAck())
                .expectPerformed(LEAVING)
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE));
        entering(subject).message(1, new EnterRequest(PAGE));
        subject.expect(count(NodeCounter.PAGES_SENT), send(1, entered(false, true)));
    }

    @Test
    void acquireOfTheHome_endsItsMappingOfFramesThatItDoesNotStoreTo() {
        Subject<Msg> subject = home(WeakRules.DEFAULT).writeFault().release(LEAVING).quietly();
        acquire(subject).expect().expectAcquired(TOKEN);
        subject.message(1, new EnterRequest(PAGE))
                .expect(count(NodeCounter.PAGES_SENT), send(1, entered(false, false)));
        Subject<Msg> storing = home(WeakRules.DEFAULT).writeFault().release(LEAVING).writeFault();
        acquire(storing.quietly());
        storing.message(1, new EnterRequest(PAGE))
                .expect(count(NodeCounter.PAGES_SENT), send(1, entered(false, true)));
    }

    @Test
    void frameThatTheHomeStoresToInEachInterval_staysWritableForSomeReleases() {
        Subject<Msg> subject = entering(home(PUBLISH), 2);
        subject.context.twins(new AdaptiveTwinRules(2, 1));
        subject.writeFault().release(LEAVING).writeFault().quietly();
        subject.release(LEAVING)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_HEATED),
                        count(NodeCounter.TWINS_KEPT))
                .expectState("HomeDirty")
                .release(LEAVING)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_COOLED),
                        access(PageAccess.READ))
                .expectState("HomeClean")
                .expectPerformed()
                .message(2, new NoticesAck())
                .expectPerformed(LEAVING, LEAVING, LEAVING);
    }

    // notices

    @Test
    void publication_isAcknowledgedWhenTheMappersHaveTheirNotices() {
        entering(home(PUBLISH), 1, 2, 4)
                .message(1, publish(1))
                .expect(APPLY, NOTICES_TO_2, send(4, new Notices(PAGES)))
                .message(4, new NoticesAck())
                .expect()
                .message(2, new NoticesAck())
                .expect(ack(1));
    }

    @Test
    void publicationToOtherMappers_isListedForItsWriterAtTheTransitionOnly() {
        entering(home(WeakRules.DEFAULT), 1, 2)
                .message(1, publish(1))
                .expect(APPLY, send(1, new Notices(PAGES)), NOTICES_TO_2);
        entering(home(WeakRules.DEFAULT), 1).message(1, publish(1)).expect(APPLY, ack(1));
    }

    @Test
    void mapperOfAWeakPage_isListedAndSoIsItsWriter() {
        entering(home(WeakRules.DEFAULT), 1)
                .message(1, publish(1))
                .quietly()
                .message(2, new EnterRequest(PAGE))
                .expect(
                        send(1, new Notices(PAGES)),
                        count(NodeCounter.PAGES_SENT),
                        send(2, entered(false, true)));
    }

    @Test
    void mapperWithANotice_getsNoOtherUntilItHasLeft() {
        Subject<Msg> subject = entering(home(PUBLISH), 1, 2).message(1, publish(1)).quietly();
        subject.message(1, publish(2))
                .expect(APPLY)
                .message(2, new NoticesAck())
                .expect(ack(1), send(1, new PublishAck(2)))
                .message(1, publish(3))
                .expect(APPLY, send(1, new PublishAck(3)))
                .message(2, new Leave(PAGES))
                .message(1, publish(4))
                .expect(APPLY, send(1, new PublishAck(4)))
                .message(2, new EnterRequest(PAGE))
                .expect(count(NodeCounter.PAGES_SENT), send(2, entered(false, false)))
                .message(1, publish(5))
                .expect(APPLY, NOTICES_TO_2);
    }

    @Test
    void mapperThatEntersAgain_needsNewNotices() {
        entering(entering(home(PUBLISH), 1, 2).message(1, publish(1)), 2)
                .message(1, publish(2))
                .expect(APPLY, NOTICES_TO_2);
    }

    @Test
    void storesThatWereAnnouncedBefore_areAppliedOnly() {
        List<PublishedPage> stores = List.of(new PublishedPage(PAGE, IMAGE));
        List<PublishedPage> none = List.of(new PublishedPage(PAGE, Payload.NONE));
        entering(home(IMMEDIATE), 1, 2)
                .message(1, new Publish(1, true, none))
                .expect(send(1, new Notices(PAGES)), NOTICES_TO_2)
                .message(1, new Publish(2, false, stores))
                .expect(APPLY, send(1, new PublishAck(2)));
    }

    // unsafe pages

    @Test
    void pageThatBecomesUnsafe_isSettledBehindItsLastNotices() {
        Subject<Msg> subject = entering(home(SOON_UNSAFE), 1, 2);
        subject.message(1, publish(1))
                .expect(APPLY, NOTICES_TO_2, send(1, new UnsafePages(PAGES)))
                .message(4, new EnterRequest(PAGE))
                .expect(count(NodeCounter.PAGES_SENT), send(4, entered(true, false)))
                // not settled: others send notices, too
                .message(2, publish(1))
                .expect(APPLY, send(1, new Notices(PAGES)), send(4, new Notices(PAGES)));
        for (int node : List.of(2, 1, 1, 4)) {
            subject.message(node, new NoticesAck());
        }
        subject.expect(ack(1), ack(2))
                .message(4, publish(1))
                .expect(APPLY, ack(4))
                .message(1, new CheckRequest(PAGES))
                .expect(send(1, new CheckReply(PAGES)));
    }

    @Test
    void unsafePage_isSafeAgainAfterSomeChecks() {
        Subject<Msg> subject = entering(home(SOON_UNSAFE), 1, 2).message(1, publish(1));
        subject.message(1, new NoticesAck()).message(2, new NoticesAck()).quietly();
        subject.message(1, new CheckRequest(PAGES))
                .expect(send(1, new CheckReply(List.of())))
                .message(5, new EnterRequest(PAGE))
                .expect(count(NodeCounter.PAGES_SENT), send(5, entered(false, false)));
    }

    @Test
    void unsafePageOfTheHomesOwnStores_needsNoCheckThere() {
        Subject<Msg> subject = entering(home(SOON_UNSAFE), 2);
        subject.writeFault().release(LEAVING).message(2, new NoticesAck());
        subject.expectPerformed(LEAVING);
        acquire(subject.quietly()).expect();
    }

    // the centralized list

    @Test
    void publicationWithACentralizedList_isPostedThere() {
        Listed by1 = new Listed(PAGE, node(1), true);
        entering(home(CENTRALIZED), 1, 2)
                .message(1, publish(1))
                .expect(APPLY, send(0, new ListPost(List.of(by1))))
                .message(0, new NoticesAck())
                .expect(ack(1));
        entering(home(CENTRALIZED), 1).message(1, publish(1)).expect(APPLY, ack(1));
    }

    @Test
    void centralizedList_isReadFromAPositionAndOmitsOnesOwn() {
        Subject<Msg> root = of(0, Home.ROOT, CENTRALIZED).sealed().quietly();
        PageId other = new PageId(0, 5);
        root.message(
                        4,
                        new ListPost(
                                List.of(
                                        new Listed(PAGE, node(1), true),
                                        new Listed(other, node(2), true))))
                .expect(send(4, new NoticesAck()))
                .message(1, new ListRequest(0))
                .expect(send(1, new ListReply(2, true, List.of(other))))
                .message(4, new ListPost(List.of(new Listed(PAGE, node(1), true))))
                .quietly()
                .message(3, new ListRequest(0))
                .expect(send(3, new ListReply(3, true, List.of(other, PAGE))))
                .message(3, new ListRequest(3))
                .expect(send(3, new ListReply(3, true, List.of())));
    }

    // what is impossible

    @ParameterizedTest
    @EnumSource(WeakState.class)
    void requests_areImpossibleAtOtherNodes(WeakState state) {
        boolean isHome =
                List.of(UNFILLED, FILLING, IDLE_HOME, HOME_CLEAN, HOME_DIRTY).contains(state);
        if (!isHome) {
            WeakTest.impossible(state, 2, new EnterRequest(PAGE), "EnterRequest");
            WeakTest.impossible(state, 2, publish(1), "Publish");
        }
        if (state != HOME_CLEAN && state != HOME_DIRTY) {
            WeakTest.impossible(state, 2, new CheckRequest(PAGES), "CheckRequest");
            WeakTest.impossible(state, 2, new Leave(PAGES), "Leave");
        }
        if (isHome) {
            int asker = state == IDLE_HOME ? 2 : HOME;
            WeakTest.impossible(state, asker, new ContentRequest(PAGE), "ContentRequest");
        }
    }

    @Test
    void acknowledgements_areImpossibleWithoutAMessage() {
        Subject<Msg> subject = HOME_CLEAN.subject();
        assertThrows(ProtocolViolation.class, () -> subject.message(2, new NoticesAck()));
        assertThrows(ProtocolViolation.class, () -> subject.message(2, new PublishAck(1)));
    }
}
