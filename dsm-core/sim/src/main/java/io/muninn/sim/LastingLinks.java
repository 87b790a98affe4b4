package io.muninn.sim;

import io.muninn.lasting.FrameNumberException;
import io.muninn.lasting.LastingLink;
import io.muninn.lasting.SentFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Connections that are cut and made again, between the {@link LastingLink}s that agents use. A cut
 * loses what is under way, in each direction from another moment on, and the two ends notice it at
 * different times. The higher node of a pair dials. It may give up an attempt that would have
 * succeeded, or a connection that works.
 *
 * <p>Whatever happens, messages of a link arrive once and in order, and nobody discards one that
 * has not arrived: anything else is a violation.
 */
final class LastingLinks {
    private static final String CHECKER = "links";

    /** Of what an end says to resume, and of an acknowledgement alone. */
    private static final int CONTROL_BYTES = 16;

    /** More than a run sends. */
    private static final long KEPT_BYTES_MAX = 1L << 40;

    private static final int GIVES_UP_ONE_IN = 4;
    private static final int ACKNOWLEDGES_ONE_IN = 8; // of messages
    private static final int CUTS_WITHIN_ONE_IN = 4; // of batches
    private static final int LATE_FACTOR = 8;

    private final Simulation simulation;
    private final Wires wires;
    private final Random random;
    private final int delayNanosMax;
    private final Pair[][] pairs; // by the higher node and the lower one
    private long batchNanos; // time in which messages are sent together
    private int cuts;
    private int resent;
    private int dropped;

    /**
     * @param random draws when the parts of a cut happen
     * @param delayNanosMax the longest time from one to the next
     */
    LastingLinks(Simulation simulation, Random random, int delayNanosMax) {
        this.simulation = simulation;
        this.wires = simulation.wires();
        this.random = random;
        this.delayNanosMax = delayNanosMax;
        batchNanos = random.nextBoolean() ? anyDelay() : 0;
        int nodes = simulation.nodes().size();
        pairs = new Pair[nodes][];
        for (int i = 0; i < nodes; i++) {
            pairs[i] = new Pair[i];
            for (int j = 0; j < i; j++) {
                pairs[i][j] = new Pair(i, j);
            }
        }
    }

    /** A message, and whether it has been delivered. */
    private static final class Carried {
        final Link.Frame frame;
        boolean hasNext; // in its batch
        boolean isDelivered;

        Carried(Link.Frame frame) {
            this.frame = frame;
        }
    }

    /** A connection, which has the number of the attempt that has made it. */
    private static final class Connection {
        final int number;
        private final long[] overNanos = {Long.MAX_VALUE, Long.MAX_VALUE}; // by receiving node

        Connection(int number) {
            this.number = number;
        }

        boolean isCut() {
            return overNanos[0] < Long.MAX_VALUE;
        }
    }

    /** Two nodes. */
    private final class Pair {
        final End dialling;
        final End listening;
        final List<Connection> connections = new ArrayList<>(List.of(new Connection(0)));

        Pair(int higher, int lower) {
            dialling = new End(this, true, simulation.link(higher, lower));
            listening = new End(this, false, simulation.link(lower, higher));
        }

        Connection newest() {
            return connections.getLast();
        }
    }

    private Pair pair(int one, int other) {
        return pairs[Math.max(one, other)][Math.min(one, other)];
    }

    private long anyDelay() {
        return random.nextInt(delayNanosMax);
    }

    private static Violation violation(End at, String what) {
        return new Violation(
                CHECKER,
                "link from node " + at.out.to() + " to node " + at.out.from() + ": " + what);
    }

    /** One node's end of the link to another. */
    private final class End {
        private final Pair pair;
        private final boolean dials;
        private final Link out;
        private final LastingLink<List<Carried>> link;
        private final List<Carried> batch = new ArrayList<>(); // not sent yet

        End(Pair pair, boolean dials, Link out) {
            this.pair = pair;
            this.dials = dials;
            this.out = out;
            link = new LastingLink<>(dials, 0, 0, KEPT_BYTES_MAX, this::discard);
        }

        private End other() {
            return dials ? pair.listening : pair.dialling;
        }

        private Link in() {
            return other().out;
        }

        private int receiver() {
            return dials ? 1 : 0;
        }

        private void discard(List<Carried> unit) {
            if (!unit.stream().allMatch(carried -> carried.isDelivered)) {
                throw violation(other(), "a message is discarded that has not arrived");
            }
        }

        /** Sends a message with all that follow in the time of a batch. */
        void send(Link.Frame frame) {
            if (!batch.isEmpty()) {
                batch.getLast().hasNext = true;
            }
            batch.add(new Carried(frame));
            if (batchNanos == 0) {
                flush();
            } else if (batch.size() == 1) {
                simulation.after(batchNanos, this::flush);
            }
        }

        private void flush() {
            if (batch.isEmpty()) {
                return; // an earlier flush has had them
            }
            List<Carried> unit = List.copyOf(batch);
            batch.clear();
            int first = link.nextSent();
            long bytes = unit.stream().mapToLong(carried -> carried.frame.bytes().length).sum();
            if (!link.keep(unit.size(), bytes, unit)) {
                throw violation(other(), "more is kept than the bound");
            }
            if (link.isUp()) {
                transmit(first, unit);
            }
        }

        private void transmit(int first, List<Carried> unit) {
            Connection on = pair.connections.get(link.connection());
            int acknowledged = link.acknowledge();
            for (int i = 0; i < unit.size(); i++) {
                int number = first + i;
                Carried carried = unit.get(i);
                wires.carry(
                        out,
                        carried.frame.bytes().length,
                        () -> other().arrive(on, number, acknowledged, carried));
            }
        }

        private void resend(List<SentFrames.Unit<List<Carried>>> lacking) {
            resent += lacking.size();
            lacking.forEach(unit -> transmit(unit.first(), unit.content()));
        }

        /** Whether this end uses a connection that no longer brings it anything. */
        private boolean isLost(Connection on) {
            return simulation.nowNanos() > on.overNanos[receiver()];
        }

        private void arrive(Connection on, int number, int acknowledged, Carried carried) {
            if (in().isCut()) {
                return;
            }
            if (in().notBeforeNanos() > simulation.nowNanos()) {
                simulation.at(
                        in().notBeforeNanos(), () -> arrive(on, number, acknowledged, carried));
                return;
            }
            boolean isUsed = link.isUp() && link.connection() == on.number;
            if (isLost(on) && isUsed) {
                long lateNanos = LATE_FACTOR * anyDelay();
                simulation.after(lateNanos, () -> arriveLate(on, number, acknowledged, carried));
                return;
            }
            int bytes = carried.frame.bytes().length;
            if (!isNew(on, number, acknowledged, bytes)) {
                dropped++;
                return;
            }
            if (!isUsed) {
                throw violation(this, "a message of another connection is delivered");
            }
            if (in().oldest().filter(due -> due == carried.frame).isEmpty()) {
                throw violation(this, "message " + number + " is delivered out of turn");
            }
            carried.isDelivered = true;
            simulation.deliver(out.to(), out.from());
            if (link.owesAcknowledgement() || random.nextInt(ACKNOWLEDGES_ONE_IN) == 0) {
                acknowledge(on);
            }
            if (carried.hasNext && batchNanos > 0 && random.nextInt(CUTS_WITHIN_ONE_IN) == 0) {
                LastingLinks.this.cut(on, pair, this);
            }
        }

        /** As a heartbeat does. */
        private void acknowledge(Connection on) {
            int next = link.nextSent();
            int before = link.acknowledge();
            wires.carry(out, CONTROL_BYTES, () -> other().onAcknowledgement(on, next, before));
        }

        private void onAcknowledgement(Connection on, int next, int before) {
            if (in().notBeforeNanos() > simulation.nowNanos()) {
                simulation.at(in().notBeforeNanos(), () -> onAcknowledgement(on, next, before));
                return;
            }
            boolean isUsed = link.isUp() && link.connection() == on.number;
            if (in().isCut() || isLost(on) && isUsed) {
                return;
            }
            try {
                link.acknowledged(on.number, next, before);
            } catch (FrameNumberException wrong) {
                throw violation(this, String.valueOf(wrong.getMessage()));
            }
        }

        /** A message of a connection that was cut arrives when another one may be in use. */
        private void arriveLate(Connection on, int number, int acknowledged, Carried carried) {
            boolean isUsed = link.isUp() && link.connection() == on.number;
            int bytes = carried.frame.bytes().length;
            if (!isUsed && !in().isCut() && isNew(on, number, acknowledged, bytes)) {
                throw violation(this, "a message of another connection is delivered");
            }
        }

        private boolean isNew(Connection on, int number, int acknowledged, int bytes) {
            try {
                return link.arrived(on.number, number, acknowledged, bytes);
            } catch (FrameNumberException wrong) {
                throw violation(this, String.valueOf(wrong.getMessage()));
            }
        }

        /** This end notices that a connection is cut. */
        private void notice(Connection on) {
            link.cut(on.number);
            simulation.after(anyDelay(), () -> dialAfter(on));
        }

        /** Dials, unless the link is up meanwhile, or a later attempt is in progress. */
        private void dialAfter(Connection last) {
            if (dials && !link.isUp() && pair.newest() == last) {
                dial();
            }
        }

        private void dial() {
            Connection on = new Connection(link.dial());
            pair.connections.add(on);
            int from = link.nextReceived();
            wires.carry(out, CONTROL_BYTES, () -> other().onResume(on, from));
            if (random.nextInt(GIVES_UP_ONE_IN) == 0) {
                simulation.after(anyDelay(), () -> dialAfter(on));
            }
        }

        private void onResume(Connection on, int from) {
            if (isLost(on) || in().isCut() || !link.awaits(on.number)) {
                return;
            }
            int next = link.nextReceived();
            List<SentFrames.Unit<List<Carried>>> lacking = resume(on, from);
            wires.carry(out, CONTROL_BYTES, () -> other().onResumed(on, next));
            resend(lacking);
        }

        private void onResumed(Connection on, int from) {
            if (!isLost(on) && !in().isCut() && link.awaits(on.number)) {
                resend(resume(on, from));
            }
        }

        private List<SentFrames.Unit<List<Carried>>> resume(Connection on, int from) {
            try {
                return link.resume(on.number, from);
            } catch (FrameNumberException wrong) {
                throw violation(this, String.valueOf(wrong.getMessage()));
            }
        }
    }

    /** Sends a message that a link has accepted. */
    void send(Link link, Link.Frame frame) {
        Pair pair = pair(link.from(), link.to());
        (link.from() > link.to() ? pair.dialling : pair.listening).send(frame);
    }

    /** From now on every message is sent at once. */
    void endBatches() {
        batchNanos = 0;
        for (Pair[] ofNode : pairs) {
            for (Pair pair : ofNode) {
                pair.dialling.flush();
                pair.listening.flush();
            }
        }
    }

    /** Cuts the connection of two nodes, if they have one. */
    void cut(int one, int other) {
        Pair pair = pair(one, other);
        Connection on = pair.newest();
        if (!pair.dialling.out.isConnected()) {
            return;
        }
        cut(on, pair, random.nextBoolean() ? pair.dialling : pair.listening);
    }

    /**
     * Cuts a connection.
     *
     * @param first the end to which it brings nothing from now on; to the other a little longer
     */
    private void cut(Connection on, Pair pair, End first) {
        if (on.isCut()) {
            return;
        }
        cuts++;
        for (End end : List.of(pair.dialling, pair.listening)) {
            long over = simulation.nowNanos() + (end == first ? 0 : anyDelay());
            on.overNanos[end.receiver()] = over;
            simulation.at(over + anyDelay(), () -> end.notice(on));
        }
    }

    /** The higher of two nodes takes its connection for cut, and dials. */
    void redial(int one, int other) {
        Pair pair = pair(one, other);
        if (pair.dialling.out.isConnected()) {
            pair.dialling.dial();
        }
    }

    /** Connections that were cut. */
    int cuts() {
        return cuts;
    }

    /** Batches of messages that were sent again. */
    int resent() {
        return resent;
    }

    /** Messages that arrived on an older connection, or again. */
    int dropped() {
        return dropped;
    }
}
