package io.muninn.coherence.weak;

import static io.muninn.coherence.Subject.IMAGE;
import static io.muninn.coherence.Subject.PAGE;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.weak.WeakMessages.ContentReply;
import io.muninn.coherence.weak.WeakMessages.EnterReply;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.coherence.weak.WeakMessages.Notices;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishedPage;
import io.muninn.model.LockId;
import io.muninn.spi.Bytes;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.WeakRules;
import io.muninn.spi.WeakRules.Lists;
import io.muninn.spi.WeakRules.Transition;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.function.Supplier;

/**
 * Every state of the table of {@link Weak}, and the transitions into it. The page has its home at
 * node 3; node 1, another node, and node 0, the root, are under test, too.
 */
enum WeakState {
    ABSENT(() -> of(1, Home.CYCLIC)),
    MAPPING(() -> of(1, Home.CYCLIC).readFault()),
    CLEAN(() -> MAPPING.subject().message(WeakState.HOME, reply())),
    DIRTY(() -> CLEAN.subject().writeFault()),
    WITHDRAWING(() -> noticed(CLEAN.subject())),
    CLOSING(() -> noticed(DIRTY.subject())),
    /** On the root, of a page with another home. */
    IDLE(() -> of(0, Home.CYCLIC).sealed()),
    /** On the root, its home. */
    IDLE_HOME(() -> of(0, Home.ROOT).sealed()),
    INITIAL(() -> of(0, Home.ROOT).writeFault()),
    UNFILLED(() -> of(WeakState.HOME, Home.CYCLIC)),
    FILLING(() -> of(WeakState.HOME, Home.CYCLIC).readFault()),
    HOME_CLEAN(() -> FILLING.subject().message(0, new ContentReply(PAGE, false, IMAGE))),
    HOME_DIRTY(() -> HOME_CLEAN.subject().writeFault());

    static final int HOME = 3;
    static final GatedAcquire TOKEN = new GatedAcquire.Token(new LockId("lock"));

    /** Rules with notices only to nodes whose copies are old. */
    static final WeakRules PUBLISH = notices(WeakRules.Notices.PUBLISH, 8, 8);

    static final WeakRules IMMEDIATE =
            new WeakRules(
                    Transition.IMMEDIATE, Lists.DISTRIBUTED, WeakRules.Notices.TRANSITION, 8, 8);
    static final WeakRules CENTRALIZED =
            new WeakRules(Transition.DELAYED, Lists.CENTRALIZED, WeakRules.Notices.PUBLISH, 0, 1);

    private final Supplier<Subject<Msg>> made;

    WeakState(Supplier<Subject<Msg>> made) {
        this.made = made;
    }

    Subject<Msg> subject() {
        return made.get().quietly();
    }

    static WeakRules notices(WeakRules.Notices notices, int unsafeAfter, int safeAfter) {
        return new WeakRules(
                Transition.DELAYED, Lists.DISTRIBUTED, notices, unsafeAfter, safeAfter);
    }

    static Subject<Msg> of(int self, Home home) {
        return of(self, home, WeakRules.DEFAULT);
    }

    static Subject<Msg> of(int self, Home home, WeakRules rules) {
        FakeContext context = new FakeContext(self, Protocol.WEAK, 16, home);
        context.updates(UpdateRules.DEFAULT.withWeak(rules));
        return new Subject<>(context, Weak::new);
    }

    /** A copy of another node, under some rules. */
    static Subject<Msg> clean(WeakRules rules) {
        return of(1, Home.CYCLIC, rules).readFault().message(HOME, reply()).quietly();
    }

    /** The frame at its home, under some rules. */
    static Subject<Msg> home(WeakRules rules) {
        return of(HOME, Home.CYCLIC, rules)
                .readFault()
                .message(0, new ContentReply(PAGE, false, IMAGE))
                .quietly();
    }

    /** A notice has arrived, and the node acquires. */
    static Subject<Msg> noticed(Subject<Msg> subject) {
        return acquire(subject.message(HOME, new Notices(List.of(PAGE))).quietly());
    }

    static Subject<Msg> acquire(Subject<Msg> subject) {
        VectorTimestamp none = VectorTimestamp.zero(subject.context.nodes());
        return subject.acquire(TOKEN, HOME, Bytes.EMPTY, none);
    }

    static EnterReply reply() {
        return new EnterReply(PAGE, false, false, IMAGE);
    }

    /** The copy of an unsafe page. */
    static EnterReply unsafe() {
        return new EnterReply(PAGE, true, false, IMAGE);
    }

    /** A publication of stores to the page. */
    static Publish publish(long number) {
        return new Publish(number, true, List.of(new PublishedPage(PAGE, IMAGE)));
    }

    /** What a home sends to a mapper of its frame. */
    static EnterReply entered(boolean isChecked, boolean isListed) {
        return new EnterReply(PAGE, isChecked, isListed, new Payload.LiveImage(PAGE));
    }
}
