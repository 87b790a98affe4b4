package io.muninn.coherence.homebased;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.node;

import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.homebased.HomeBasedMessages.BaseReply;
import io.muninn.coherence.homebased.HomeBasedMessages.Copy;
import io.muninn.coherence.homebased.HomeBasedMessages.FlushedPage;
import io.muninn.coherence.homebased.HomeBasedMessages.HomeFlush;
import io.muninn.coherence.homebased.HomeBasedMessages.Msg;
import io.muninn.coherence.homebased.HomeBasedMessages.NeededPage;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionReply;
import io.muninn.coherence.homebased.HomeBasedMessages.VersionRequest;
import io.muninn.coherence.shared.WriteNotices;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.LockId;
import io.muninn.spi.Bytes;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.function.Supplier;

/**
 * Every state of the table of {@link HomeBased}, and the transitions into it. The page has its home
 * at node 3; node 1, another node, and node 0, the root, are under test, too.
 */
enum HomeBasedState {
    ABSENT(() -> of(1, Home.CYCLIC)),
    FETCHING(() -> of(1, Home.CYCLIC).readFault()),
    AHEAD(() -> of(1, Home.CYCLIC).prefetch(1, Mode.READ)),
    CLEAN(() -> FETCHING.subject().message(HomeBasedState.HOME, reply(AppliedDiffs.EMPTY))),
    DIRTY(() -> CLEAN.subject().writeFault()),
    WITHDRAWING(() -> noticed(CLEAN.subject())),
    CLOSING(() -> noticed(DIRTY.subject())),
    STALE(() -> WITHDRAWING.subject().withdrawn()),
    /** On the root, of a page with another home. */
    IDLE(() -> of(0, Home.CYCLIC).sealed()),
    /** On the root, its home. */
    IDLE_HOME(() -> of(0, Home.ROOT).sealed()),
    INITIAL(() -> of(0, Home.ROOT).writeFault()),
    UNFILLED(() -> of(HomeBasedState.HOME, Home.CYCLIC)),
    FILLING(() -> of(HomeBasedState.HOME, Home.CYCLIC).readFault()),
    HOME_CLEAN(() -> FILLING.subject().message(0, new BaseReply(PAGE, IMAGE))),
    HOME_DIRTY(() -> HOME_CLEAN.subject().writeFault()),
    HOME_WITHDRAWING(() -> noticed(HOME_CLEAN.subject())),
    HOME_STALE(() -> HOME_WITHDRAWING.subject().withdrawn());

    static final int HOME = 3;
    static final GatedAcquire TOKEN = new GatedAcquire.Token(new LockId("lock"));
    static final VectorTimestamp SEEN_2 =
            VectorTimestamp.zero(new FakeContext(0, Protocol.HOME_BASED).nodes()).with(node(2), 1);
    static final AppliedDiffs OF_2 = AppliedDiffs.EMPTY.with(node(2), 1);

    private final Supplier<Subject<Msg>> made;

    HomeBasedState(Supplier<Subject<Msg>> made) {
        this.made = made;
    }

    Subject<Msg> subject() {
        return made.get().quietly();
    }

    static Subject<Msg> of(int self, Home home) {
        return new Subject<>(new FakeContext(self, Protocol.HOME_BASED, 16, home), HomeBased::new);
    }

    /** The node acquires the store of node 2 to the page in its first interval. */
    static Subject<Msg> noticed(Subject<Msg> subject) {
        return subject.acquire(TOKEN, 2, noticeOf(2), SEEN_2);
    }

    static Bytes noticeOf(int writer) {
        FakeContext context = new FakeContext(writer, Protocol.HOME_BASED);
        WriteNotices notices = new WriteNotices(context);
        context.clock().stored();
        notices.add(List.of(PAGE));
        context.clock().endInterval();
        return notices.forMessage(node(63));
    }

    static VersionRequest request(int asker, AppliedDiffs need) {
        return new VersionRequest(node(asker), List.of(new NeededPage(PAGE, false, need)));
    }

    static VersionRequest claim(int asker) {
        return new VersionRequest(
                node(asker), List.of(new NeededPage(PAGE, true, AppliedDiffs.EMPTY)));
    }

    static VersionReply reply(AppliedDiffs version) {
        return new VersionReply(List.of(new Copy(PAGE, version, IMAGE)));
    }

    /** The reply of a home whose current interval is the first. */
    static VersionReply answer(AppliedDiffs version) {
        return new VersionReply(List.of(new Copy(PAGE, version, new Payload.LiveImage(PAGE))));
    }

    /** The first flush of a node. */
    static HomeFlush flush(int writer) {
        return new HomeFlush(node(writer), 1, false, List.of(new FlushedPage(PAGE, IMAGE)));
    }
}
