package io.muninn.sync;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.Letter;
import io.muninn.sync.SyncMessage.LetterCredit;
import io.muninn.sync.SyncMessage.LetterStall;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The program's own messages. A send releases before the letter leaves; a receive acquires before
 * the thread continues. Between one pair of processes, letters with one tag arrive in order.
 *
 * <p>Bounded: a node has at most {@link #WINDOW_BYTES} at another node that its program has not
 * received, or one letter if that is longer; a further send waits for credit.
 *
 * <p>A node has two states for each other node: as a sender, and as a receiver.
 *
 * <pre>
 *          SendCalled                  LetterCredit
 * Open     flush, then send, or stall  count (1)
 *          and wait, →Full
 * Full     flush, then wait            count (1), send those that
 *                                      wait, →Open; else stall
 *
 *          Letter                      letter received            LetterStall
 * Even     keep (2)                    →Owing (3)                 →Stalled
 * Owing    keep (2)                    →Owing (3)                 credit, →Even
 * Stalled  keep (2)                    credit, →Even              ignore
 *
 * (1) impossible if it exceeds the debt
 * (2) or acquire for a thread that waits for it. So is a letter of another process of this node
 * (3) from a quarter of the window on: credit, →Even
 * </pre>
 *
 * A receiving thread takes the oldest letter that matches, otherwise it waits. The letter counts as
 * received when its acquire is performed; the time limit of the wait ends before that. Credit is
 * returned when a quarter of the window is received. A sender that must wait sends LetterStall, and
 * gets the available credit at once, or with the next letter received.
 */
public final class ProgramMessages {
    /** Largest number of unreceived bytes from one node at another. */
    public static final long WINDOW_BYTES = 4L << 20;

    private static final long CREDIT_BYTES_MIN = WINDOW_BYTES / 4;

    /** Size of a letter besides its body, so that empty letters are bounded, too. */
    private static final long LETTER_BYTES = 64;

    /**
     * @param from the sender's process, as programs name it
     * @param to the receiver's process, likewise
     */
    private record Kept(NodeId from, NodeId to, Letter letter) {}

    private record Receiver(WaiterId waiter, NodeId self, int from, int tag) {
        boolean wants(Kept kept) {
            return tag == kept.letter().tag()
                    && self.equals(kept.to())
                    && (from == Event.ANY_NODE || from == kept.from().index());
        }
    }

    private static final class Window {
        long debtBytes;
        final ArrayDeque<GatedRelease.Letter> waiting = new ArrayDeque<>();
    }

    private final NodeId self;
    private final NodeThreads threads;
    private final Releases releases;
    private final Acquires acquires;
    private final CargoHold cargo;
    private final ProcessViews views;
    private final ArrayDeque<Kept> kept = new ArrayDeque<>();
    private final List<Receiver> receivers = new ArrayList<>();

    /** A letter that a waiter gets once it is acquired. */
    private record Received(NodeId from, int tag) {}

    private final TreeMap<NodeId, Window> windows = new TreeMap<>();
    private final TreeMap<NodeId, Long> owedCredit = new TreeMap<>();
    private final TreeSet<NodeId> stalled = new TreeSet<>();
    // received, not yet acquired
    private final Map<WaiterId, Received> acquiring = new LinkedHashMap<>();

    public ProgramMessages(
            NodeId self,
            NodeThreads threads,
            Releases releases,
            Acquires acquires,
            CargoHold cargo,
            ProcessViews views) {
        this.self = self;
        this.threads = threads;
        this.releases = releases;
        this.acquires = acquires;
        this.cargo = cargo;
        this.views = views;
    }

    public void onSendCalled(Event.SendCalled call, Effects out) {
        releases.begin(
                new GatedRelease.Letter(call.waiter(), call.to(), call.tag(), call.body()), out);
    }

    /** Sends a letter, because every dirty page is flushed. */
    public void onReleasePerformed(GatedRelease.Letter letter, Effects out) {
        NodeId to = threads.nodeOf(letter.to());
        if (to.equals(self)) {
            out.resumeWaiter(letter.waiter(), Outcome.DONE);
            onLetter(self, toLetter(letter, Cargo.NONE), out);
            return;
        }
        Window window = windows.computeIfAbsent(to, _ -> new Window());
        if (window.waiting.isEmpty() && fits(window, letter)) {
            send(window, letter, out);
        } else {
            if (window.waiting.isEmpty()) {
                out.send(to, LetterStall.INSTANCE);
            }
            window.waiting.add(letter);
        }
    }

    public void onLetter(NodeId from, Letter letter, Effects out) {
        Kept arrived = arrived(from, letter);
        for (Iterator<Receiver> each = receivers.iterator(); each.hasNext(); ) {
            Receiver receiver = each.next();
            if (receiver.wants(arrived)) {
                each.remove();
                deliver(receiver.waiter(), arrived, out);
                return;
            }
        }
        kept.add(arrived);
    }

    /** A letter with the processes between which it travels, if nodes have several. */
    private Letter toLetter(GatedRelease.Letter leaving, Cargo along) {
        if (threads.processes() == 1) {
            return new Letter(leaving.tag(), along, leaving.body());
        }
        byte[] processes = {
            (byte) threads.processOf(leaving.waiter().thread()).index(),
            (byte) threads.processOf(leaving.to()).index()
        };
        return new Letter(
                leaving.tag(),
                along.with(Cargo.PROCESSES_CODE, new Bytes(processes)),
                leaving.body());
    }

    private Kept arrived(NodeId from, Letter letter) {
        if (threads.processes() == 1) {
            return new Kept(from, self, letter);
        }
        byte[] processes = letter.cargo().of(Cargo.PROCESSES_CODE).array();
        if (processes.length != 2
                || processes[0] < 0
                || processes[0] >= threads.processes()
                || processes[1] < 0
                || processes[1] >= threads.processes()) {
            throw new MalformedMessageException("a letter between unknown processes");
        }
        return new Kept(
                threads.seen(from, MappingId.of(processes[0])),
                threads.seen(self, MappingId.of(processes[1])),
                letter);
    }

    /** The process of a waiter, as programs name it. */
    private NodeId seen(WaiterId waiter) {
        return threads.seen(self, threads.processOf(waiter.thread()));
    }

    public void onReceiveCalled(Event.ReceiveCalled call, Effects out) {
        Receiver receiver =
                new Receiver(call.waiter(), seen(call.waiter()), call.from(), call.tag());
        for (Iterator<Kept> each = kept.iterator(); each.hasNext(); ) {
            Kept next = each.next();
            if (receiver.wants(next)) {
                each.remove();
                deliver(call.waiter(), next, out);
                return;
            }
        }
        receivers.add(receiver);
        if (call.timeoutNanos() >= 0) {
            out.armTimer(new TimerId.WaitOver(call.waiter()), call.timeoutNanos());
        }
    }

    public void onLetterCredit(NodeId from, LetterCredit credit, Effects out) {
        Window window = windows.get(from);
        if (window == null || credit.bytes() > window.debtBytes) {
            String debt = window == null ? "none" : window.debtBytes + " bytes";
            throw new ProtocolViolation("node=" + from + " window=" + debt + " event=" + credit);
        }
        window.debtBytes -= credit.bytes();
        while (!window.waiting.isEmpty() && fits(window, window.waiting.peek())) {
            send(window, window.waiting.remove(), out);
        }
        if (!window.waiting.isEmpty()) {
            out.send(from, LetterStall.INSTANCE);
        }
    }

    /** Records that a sender waits for credit. */
    public void onLetterStall(NodeId from, Effects out) {
        if (owedCredit.getOrDefault(from, 0L) > 0) {
            sendCredit(from, out);
        } else {
            stalled.add(from);
        }
    }

    /**
     * @return true if the waiter was waiting for a letter
     */
    public boolean giveUp(WaiterId waiter, Effects out) {
        for (Receiver receiver : receivers) {
            if (receiver.waiter().equals(waiter)) {
                receivers.remove(receiver);
                String from =
                        receiver.from() == Event.ANY_NODE ? "any node" : "node " + receiver.from();
                out.resumeWaiter(
                        waiter,
                        new Outcome.TimedOut(
                                "no message with tag " + receiver.tag() + " came from " + from));
                return true;
            }
        }
        return false;
    }

    /** The state of this node as a sender to another one, by its name in the table above. */
    public String sendingState(NodeId to) {
        Window window = windows.get(to);
        return window == null || window.waiting.isEmpty() ? "Open" : "Full";
    }

    /** The state of this node as a receiver from another one, by its name in the table above. */
    public String receivingState(NodeId from) {
        if (stalled.contains(from)) {
            return "Stalled";
        }
        return owedCredit.getOrDefault(from, 0L) > 0 ? "Owing" : "Even";
    }

    private static boolean fits(Window window, GatedRelease.Letter letter) {
        return window.debtBytes == 0 || window.debtBytes + cost(letter.body()) <= WINDOW_BYTES;
    }

    private static long cost(Bytes body) {
        return LETTER_BYTES + body.length();
    }

    private void send(Window window, GatedRelease.Letter letter, Effects out) {
        window.debtBytes += cost(letter.body());
        NodeId to = threads.nodeOf(letter.to());
        out.send(to, toLetter(letter, cargo.onSend(to, out)));
        out.resumeWaiter(letter.waiter(), Outcome.DONE);
    }

    private void deliver(WaiterId waiter, Kept taken, Effects out) {
        Letter letter = taken.letter();
        out.cancelTimer(new TimerId.WaitOver(waiter));
        boolean isOwn = threads.nodeOf(taken.from()).equals(self);
        MappingId sender = threads.processOf(taken.from());
        if (isOwn && views.hasSeen(threads.processOf(waiter.thread()), sender)) {
            out.resumeWaiter(waiter, new Outcome.Delivered(taken.from().index(), letter.body()));
            return;
        }
        acquiring.put(waiter, new Received(threads.nodeOf(taken.from()), letter.tag()));
        GatedAcquire.Letter acquire = new GatedAcquire.Letter(waiter, taken.from(), letter.body());
        if (isOwn) { // the receiver must have seen what the sender has
            views.begin(acquire, views.of(sender), out);
        } else {
            acquires.begin(acquire, letter.cargo(), out);
        }
    }

    /** True if a letter has been taken for this waiter and is not yet acquired. */
    public boolean isAcquiring(WaiterId waiter) {
        return acquiring.containsKey(waiter);
    }

    /** Letters of a node with a tag that threads have received and that are not yet acquired. */
    public int acquiring(NodeId from, int tag) {
        return Collections.frequency(acquiring.values(), new Received(from, tag));
    }

    /** Delivers a letter, because the sender's stores are visible here. */
    public void onAcquirePerformed(GatedAcquire.Letter letter, Effects out) {
        NodeId from = threads.nodeOf(letter.from());
        acquiring.remove(letter.waiter());
        out.resumeWaiter(
                letter.waiter(), new Outcome.Delivered(letter.from().index(), letter.body()));
        if (from.equals(self)) {
            return; // within the node, letters have no window
        }
        long owed = owedCredit.merge(from, cost(letter.body()), Long::sum);
        if (owed >= CREDIT_BYTES_MIN || stalled.contains(from)) {
            sendCredit(from, out);
        }
    }

    private void sendCredit(NodeId to, Effects out) {
        stalled.remove(to);
        out.send(to, new LetterCredit(owedCredit.put(to, 0L)));
    }
}
