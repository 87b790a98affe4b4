package io.muninn.coherence.weak;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.discard;
import static io.muninn.coherence.Subject.install;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.weak.WeakMessages.CheckReply;
import io.muninn.coherence.weak.WeakMessages.CheckRequest;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.EnterRequest;
import io.muninn.coherence.weak.WeakMessages.Fill;
import io.muninn.coherence.weak.WeakMessages.Leave;
import io.muninn.coherence.weak.WeakMessages.ListReply;
import io.muninn.coherence.weak.WeakMessages.ListRequest;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.coherence.weak.WeakMessages.NoticesAck;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.PublishedPage;
import io.muninn.coherence.weak.WeakMessages.UnsafePages;
import io.muninn.model.BarrierId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Hosts;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.PoolCall;
import io.muninn.spi.PoolResult;
import io.muninn.spi.PoolResult.Entry;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WeakRules;
import io.muninn.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Pages of other hosts. Sixteen nodes are on each of four hosts; the page has its home on the first
 * host, and node 33 is on the third.
 */
class HostsPoolTest {
    private static final int FAR = 33;
    private static final int SERVER = 0;
    private static final NodeId OTHER = NodeId.of(FAR);
    private static final GatedRelease LEAVING =
            new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);
    private static final Effect TAKE = use(new PoolCall.TakeList());
    private static final Effect WITHDRAW = new Effect.Withdraw(MappingId.FIRST, PAGE, 1);
    private static final Object[] LISTS = {
        TAKE,
        send(SERVER, new ListRequest(0)),
        send(16, new ListRequest(0)),
        send(48, new ListRequest(0))
    };

    private static Effect use(PoolCall call) {
        return new Effect.UsePool(Protocol.WEAK, call);
    }

    private static Effect serve(PoolCall.Servable call) {
        return use(new PoolCall.Serve(OTHER, call));
    }

    private static PoolResult served(PoolResult result) {
        return new PoolResult.Served(OTHER, result);
    }

    private static Subject<Msg> node(int self, Home home, Hosts hosts, UpdateRules rules) {
        FakeContext context = new FakeContext(self, Protocol.WEAK, 16, home);
        context.updates(rules);
        context.hosts(hosts);
        return new Subject<>(context, PooledWeak::new);
    }

    private static Subject<Msg> node(int self, WeakRules rules) {
        return node(
                self,
                Home.CYCLIC,
                Hosts.blocks(NodeId.LIVE_MAX, 4),
                UpdateRules.DEFAULT.withWeak(rules.pooled()));
    }

    private static Subject<Msg> far() {
        return node(FAR, WeakRules.DEFAULT);
    }

    private static Subject<Msg> clean(boolean isUnsafe) {
        return far().readFault().message(SERVER, reply(isUnsafe)).passNanos(1_000_000).quietly();
    }

    private static EnterReply reply(boolean isUnsafe) {
        return new EnterReply(PAGE, isUnsafe, false, IMAGE);
    }

    private static ListReply list(PageId... pages) {
        return new ListReply(0, true, List.of(pages));
    }

    /** An acquire to which all hosts have answered, the first one with these pages. */
    private static Subject<Msg> acquired(Subject<Msg> subject, PageId... listed) {
        return WeakState.acquire(subject)
                .expect(LISTS)
                .poolDone(new PoolResult.Listed(List.of()))
                .message(16, list())
                .message(48, list())
                .expect()
                .message(SERVER, list(listed));
    }

    /** The first node of the host of the page. */
    private static Subject<Msg> server() {
        return node(SERVER, WeakRules.DEFAULT).sealed().quietly();
    }

    // as a node of another host

    @Test
    void fault_requestsThePageFromTheFirstNodeOfItsHost() {
        far().readFault()
                .expect(send(SERVER, new EnterRequest(PAGE)))
                .expectState("Mapping")
                .message(SERVER, reply(false))
                .expect(
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        resume(PageAccess.READ))
                .expectState("Clean");
    }

    @Test
    void acquire_takesTheListsOfAllHosts() {
        acquired(clean(false)).expect().expectAcquired(WeakState.TOKEN);
        acquired(clean(false), PAGE)
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW)
                .expectAcquired()
                .withdrawn()
                .expect(discard(), send(SERVER, new Leave(List.of(PAGE))))
                .expectAcquired(WeakState.TOKEN)
                .expectState("Absent");
    }

    @Test
    void listInParts_isActedOnWhenItIsComplete() {
        WeakState.acquire(clean(false))
                .expect(LISTS)
                .poolDone(new PoolResult.Listed(List.of()))
                .message(SERVER, new ListReply(0, false, List.of(PAGE)))
                .message(16, list())
                .message(48, list())
                .expect()
                .message(SERVER, list())
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW);
    }

    /** The copy was requested after the list, so it is newer than the notice. */
    @Test
    void noticeOfAPageThatIsRequestedOrAbsent_isIgnored() {
        Subject<Msg> requested =
                WeakState.acquire(far().readFault().quietly())
                        .expect(LISTS)
                        .poolDone(new PoolResult.Listed(List.of()))
                        .message(16, list())
                        .message(48, list())
                        .message(SERVER, list(PAGE))
                        .expect()
                        .expectAcquired(WeakState.TOKEN)
                        .message(SERVER, reply(false))
                        .passNanos(1_000_000)
                        .quietly();
        acquired(requested).expect().expectAcquired(WeakState.TOKEN);
        Subject<Msg> absent =
                acquired(far(), PAGE)
                        .expect()
                        .expectAcquired(WeakState.TOKEN)
                        .readFault()
                        .message(SERVER, reply(false))
                        .passNanos(1_000_000)
                        .quietly();
        acquired(absent).expect().expectAcquired(WeakState.TOKEN);
    }

    @Test
    void unsafePage_isCheckedOnItsHost() {
        acquired(clean(true))
                .expect(send(SERVER, new CheckRequest(List.of(PAGE))))
                .expectAcquired()
                .message(SERVER, new CheckReply(List.of(PAGE)))
                .expect(count(NodeCounter.INVALIDATIONS), WITHDRAW);
    }

    @Test
    void release_isPerformedWhenTheHostHasThePublication() {
        Subject<Msg> released =
                clean(false)
                        .writeFault()
                        .quietly()
                        .release(LEAVING)
                        .expect(use(new PoolCall.TakeMapped()))
                        .poolDone(new PoolResult.Mapped(List.of()))
                        .expect(
                                count(NodeCounter.FLUSHES),
                                access(PageAccess.READ),
                                new Effect.SaveDiff(PAGE, 1, false))
                        .saved(1, 2)
                        .expect(
                                count(NodeCounter.DIFFS_MADE),
                                new Effect.DropTwin(PAGE),
                                send(
                                        SERVER,
                                        new Publish(
                                                1,
                                                true,
                                                List.of(
                                                        new PublishedPage(
                                                                PAGE,
                                                                new Payload.SavedDiff(PAGE, 1))))),
                                new Effect.DropDiff(PAGE, 1))
                        .expectPerformed()
                        .message(SERVER, new UnsafePages(List.of(PAGE)))
                        .expect()
                        .message(SERVER, new PublishAck(1))
                        .expectPerformed(LEAVING);
        acquired(released.passNanos(1_000_000))
                .expect(send(SERVER, new CheckRequest(List.of(PAGE))));
    }

    @Test
    void immediateTransition_announcesTheFirstStoreToTheHost() {
        node(FAR, WeakState.IMMEDIATE)
                .writeFault()
                .message(SERVER, reply(false))
                .expect(
                        send(SERVER, new EnterRequest(PAGE)),
                        count(NodeCounter.PAGES_FETCHED),
                        install(PageAccess.NONE),
                        new Effect.MakeTwin(PAGE),
                        count(NodeCounter.TWINS_MADE),
                        send(
                                SERVER,
                                new Publish(
                                        1, true, List.of(new PublishedPage(PAGE, Payload.NONE)))),
                        resume(PageAccess.READ_WRITE));
    }

    @Test
    void endOfTheInitialization_waitsForTheFramesOfOtherHosts() {
        Subject<Msg> root =
                node(
                        0,
                        Home.BANDED,
                        Hosts.blocks(NodeId.LIVE_MAX, 16),
                        UpdateRules.DEFAULT.withWeak(WeakRules.DEFAULT.pooled()));
        int server = 12;

        root.writeFault().sealed().quietly();
        root.withdrawn().expect(send(server, new Fill(1, PAGE, new Payload.PageImage(PAGE))));
        assertTrue(root.protocol.isSealing());
        root.expectState("Filling")
                .message(server, new PublishAck(1))
                .expect(discard())
                .expectState("Absent");
        assertFalse(root.protocol.isSealing());
    }

    @Test
    void answersThatNobodyWaitsFor_areViolations() {
        List<Msg> unexpected =
                List.of(
                        list(),
                        new CheckReply(List.of()),
                        new PublishAck(1),
                        reply(false),
                        new NoticesAck());
        for (Msg message : unexpected) {
            assertThrows(
                    ProtocolViolation.class,
                    () -> clean(false).message(SERVER, message),
                    message::toString);
        }
    }

    // as the first node of the page's host

    @Test
    void requestedPage_isEnteredBeforeItsFrameIsSent() {
        server().message(FAR, new EnterRequest(PAGE))
                .expect(serve(new PoolCall.Enter(PAGE)))
                .poolDone(served(new PoolResult.Entered(PAGE, Entry.UNSAFE)))
                .expect(
                        count(NodeCounter.PAGES_SENT),
                        send(
                                FAR,
                                new EnterReply(
                                        PAGE, true, false, new Payload.ServedFrame(PAGE, OTHER))));
    }

    @Test
    void publication_isAcknowledgedWhenItIsInThePool() {
        server().message(FAR, new Publish(7, true, List.of(new PublishedPage(PAGE, Payload.NONE))))
                .expect(
                        serve(
                                new PoolCall.Store(
                                        7,
                                        List.of(new PoolCall.Received(PAGE, Payload.NONE)),
                                        true)))
                .poolDone(served(new PoolResult.Stored(7, List.of())))
                .expect(send(FAR, new PublishAck(7)));
    }

    @Test
    void publisherOfAPageThatBecomesUnsafe_isToldBeforeTheAcknowledgement() {
        server().poolDone(served(new PoolResult.Stored(7, List.of(PAGE))))
                .expect(send(FAR, new UnsafePages(List.of(PAGE))), send(FAR, new PublishAck(7)));
    }

    @Test
    void list_isSentInPartsOfTheSizeOfMessages() {
        MessageLimits usual = MessageLimits.USUAL;
        MessageLimits small =
                new MessageLimits(2, usual.diffBytes(), usual.imageBytes(), usual.windowBytes());
        List<PageId> pages = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            pages.add(new PageId(0, i));
        }

        Subject<Msg> server =
                node(
                        SERVER,
                        Home.CYCLIC,
                        Hosts.blocks(NodeId.LIVE_MAX, 4),
                        UpdateRules.DEFAULT.withWeak(WeakRules.DEFAULT.pooled()).withLimits(small));
        server.message(FAR, new ListRequest(0)).expect(serve(new PoolCall.TakeList()));
        server.poolDone(served(new PoolResult.Listed(pages)))
                .expect(
                        send(FAR, new ListReply(0, false, pages.subList(0, 2))),
                        send(FAR, new ListReply(0, false, pages.subList(2, 4))),
                        send(FAR, new ListReply(0, true, pages.subList(4, 5))));
        server.poolDone(served(new PoolResult.Listed(List.of()))).expect(send(FAR, list()));
    }

    @Test
    void otherRequests_arePerformedOnThePool() {
        server().message(FAR, new CheckRequest(List.of(PAGE)))
                .expect(serve(new PoolCall.Check(List.of(PAGE))))
                .poolDone(served(new PoolResult.Checked(List.of(PAGE))))
                .expect(send(FAR, new CheckReply(List.of(PAGE))));
        server().message(FAR, new Leave(List.of(PAGE)))
                .expect(serve(new PoolCall.Leave(List.of(PAGE))));
        server().message(FAR, new Fill(1, PAGE, IMAGE))
                .expect(serve(new PoolCall.StoreFirst(1, PAGE, IMAGE)));
    }

    @Test
    void requestThatIsNotForThisPool_isAViolation() {
        EnterRequest request = new EnterRequest(PAGE);
        int sameHost = 5;

        assertThrows(ProtocolViolation.class, () -> server().message(sameHost, request));
        assertThrows(
                ProtocolViolation.class,
                () -> node(16, WeakRules.DEFAULT).message(FAR, request),
                "a page of another host");
    }

    // hosts

    @Test
    void hosts_areNamedByTheirFirstNodes() {
        Hosts hosts = Hosts.blocks(5, 2);

        assertEquals(List.of(0, 0, 2, 2, 2), hosts.firsts().stream().map(NodeId::index).toList());
        assertEquals(List.of(NodeId.of(2)), hosts.othersOf(NodeId.of(1)));
        assertTrue(hosts.areTogether(NodeId.of(2), NodeId.of(4)));
        assertFalse(hosts.isOne());
        assertTrue(Hosts.one(3).isOne());
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new Hosts(
                                List.of(NodeId.ROOT, NodeId.of(1), NodeId.of(2), NodeId.of(3))
                                        .reversed()));
        assertThrows(IllegalArgumentException.class, () -> Hosts.blocks(2, 3));
    }
}
