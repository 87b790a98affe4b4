package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Generates a random program of letters, many with one tag between one pair of nodes. In most
 * programs they are so long that a few fill a window: then several threads of one node wait for
 * credit, while the receivers are slow. Some letters are sent to the sender's own node; some
 * receives have a short limit, and their letters may arrive too late. Senders store before they
 * send, so that sends flush updates.
 *
 * <p><b>Well-formed.</b> In each round, between two barriers of all threads, a thread sends, or
 * receives from one node, or does neither: a thread that waits for credit waits for one that waits
 * for letters only.
 */
final class Correspondence {
    private static final int THREADS_MAX = 3;
    private static final int ROUNDS_MIN = 3;
    private static final int ROUNDS_MAX = 7;
    private static final int LETTERS_MAX = 5; // of a thread and round
    private static final int SHORT_BYTES_MAX = 200;
    private static final int LONG_BYTES_MIN = 1 << 20;
    private static final int LONG_BYTES_MAX = 5 << 20; // more than a window
    private static final int ALL_BYTES_MAX = 24 << 20;
    private static final int WORK_NANOS_MAX = 2_000_000;
    private static final int TIMEOUT_NANOS_MAX = 2_000_000;
    private static final int PAGES = 2;
    private static final BarrierId ROUND_END = new BarrierId("round");

    private final Random random;
    private final int nodes;
    private final int threads;
    private final int longOneIn; // 0 for none
    private final Scripts scripts;
    private final SharedWords words;
    private final List<Variable> own; // by thread
    private long bytesLeft = ALL_BYTES_MAX;
    private long lastSerial;

    private Correspondence(long seed, List<Protocol> protocols, int nodes) {
        random = new Random(seed);
        this.nodes = nodes;
        threads = 1 + random.nextInt(THREADS_MAX);
        longOneIn = random.nextInt(4);
        scripts = new Scripts(nodes * threads);
        words = new SharedWords(random, protocols, PAGES);
        own = IntStream.range(0, nodes * threads).mapToObj(_ -> words.next()).toList();
    }

    /**
     * @param protocols at least one of them permits stores
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, List<Protocol> protocols, int nodes, long holdNanos) {
        return new Correspondence(seed, protocols, nodes).write(holdNanos);
    }

    private Program write(long holdNanos) {
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        for (int i = 0; i < rounds; i++) {
            writeRound(i);
            int unit = scripts.beginUnit();
            for (int thread = 0; thread < nodes * threads; thread++) {
                scripts.add(unit, thread, new Op.Await(ROUND_END, Event.ALL_PARTIES));
            }
        }
        return new Program(nodes, threads, holdNanos, words.regions(), List.of(), scripts.all());
    }

    /**
     * Writes a round of pairs of nodes, of which one sends and the other receives; a node without a
     * partner sends to itself.
     */
    private void writeRound(int tag) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, nodes).boxed().toList());
        Collections.shuffle(order, random);
        for (int i = 0; i + 1 < nodes; i += 2) {
            exchange(order.get(i), order.get(i + 1), tag);
        }
        if (nodes % 2 == 1 && threads > 1) {
            int alone = order.getLast();
            int unit = scripts.beginUnit();
            int sent = send(unit, alone * threads, alone, tag, random.nextInt(2));
            receive(unit, alone * threads + 1, Event.ANY_NODE, tag, sent);
        }
    }

    private void exchange(int from, int to, int tag) {
        int unit = scripts.beginUnit();
        int sent = 0;
        int oneIn = longOneIn > 0 ? 1 + random.nextInt(longOneIn) : 0;
        for (int i = 0; i < threads; i++) {
            sent += send(unit, from * threads + i, to, tag, oneIn);
        }
        boolean isTimed = longOneIn == 0 && random.nextBoolean();
        int named = random.nextBoolean() ? from : Event.ANY_NODE;
        for (int i = 0; i < threads; i++) {
            int receiver = to * threads + i;
            int share = i + 1 < threads ? random.nextInt(sent + 1) : sent;
            sent -= share;
            receive(unit, receiver, named, tag, share);
        }
        if (isTimed) {
            receiveInTime(from, to, -1 - tag);
        }
    }

    /**
     * @param oneIn one of this many letters is long; 0 for none
     * @return the number of letters
     */
    private int send(int unit, int thread, int to, int tag, int oneIn) {
        int letters = random.nextInt(LETTERS_MAX + 1);
        for (int i = 0; i < letters; i++) {
            if (random.nextInt(3) == 0) {
                scripts.add(unit, thread, new Op.Store(own.get(thread), ++lastSerial));
            }
            boolean isLong = oneIn > 0 && random.nextInt(oneIn) == 0;
            int bytes = Long.BYTES + random.nextInt(SHORT_BYTES_MAX);
            if (isLong) {
                bytes = (int) RandomDelays.logUniform(random, LONG_BYTES_MIN, LONG_BYTES_MAX);
            }
            if (bytes > bytesLeft) {
                bytes = Long.BYTES;
            }
            bytesLeft -= bytes;
            scripts.add(unit, thread, new Op.Send(to, tag, ++lastSerial, bytes));
        }
        return letters;
    }

    private void receive(int unit, int thread, int from, int tag, int letters) {
        for (int i = 0; i < letters; i++) {
            if (random.nextInt(3) == 0) {
                long nanos = RandomDelays.logUniform(random, 1, WORK_NANOS_MAX);
                scripts.add(unit, thread, new Op.Work(nanos));
            }
            scripts.add(unit, thread, new Op.Receive(from, tag));
        }
    }

    /**
     * Adds a letter that may arrive too late. It then remains in its window, which is never empty
     * again.
     */
    private void receiveInTime(int from, int to, int tag) {
        int unit = scripts.beginUnit();
        if (random.nextBoolean()) {
            scripts.add(unit, from * threads, new Op.Send(to, tag & 0xFFFF, ++lastSerial));
        }
        long nanos = RandomDelays.logUniform(random, 1, TIMEOUT_NANOS_MAX);
        scripts.add(unit, to * threads, new Op.Receive(from, tag & 0xFFFF, nanos));
    }
}
