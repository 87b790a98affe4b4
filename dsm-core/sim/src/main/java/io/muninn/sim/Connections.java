package io.muninn.sim;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Connects the nodes of a simulated cluster as the agent's transport does: all dial the root; when
 * the root has admitted all of them, it sends its roster, and in every other pair the higher node
 * dials the lower one. Messages that are sent meanwhile wait at their sender.
 *
 * <p>A node may dial twice. While the acceptor still waits for other nodes, it closes the earlier
 * attempt and keeps the later one; once it is connected with all nodes, it refuses the later one. A
 * pair is connected when every attempt is answered, so no message is sent on an attempt that was
 * closed or refused.
 *
 * <p>Departure from the agent: processes do not restart here, so both attempts belong to one
 * process.
 */
final class Connections {
    /** A frame of the handshake. */
    private static final int HANDSHAKE_BYTES = 64;

    /**
     * Frames that a dialler and an acceptor exchange before the acceptor decides: three round trips
     * without the last answer.
     */
    private static final int FRAMES_TO_JOIN = 5;

    /** A higher node and a lower one. */
    private static final class Pair {
        final int dialler;
        final int acceptor;
        int attempts;
        int answered;
        int kept; // the attempt that the acceptor has kept; 0 for none

        Pair(int dialler, int acceptor) {
            this.dialler = dialler;
            this.acceptor = acceptor;
        }
    }

    private final Simulation simulation;
    private final int nodes;
    private final BitSet twice;
    private final Pair[][] pairs;
    private final int[] unconnected; // by node: pairs of which no attempt is kept

    /**
     * @param twice pairs whose higher node dials twice, by {@link #pairIndex}
     */
    Connections(Simulation simulation, BitSet twice) {
        this.simulation = simulation;
        this.nodes = simulation.nodes().size();
        this.twice = twice;
        this.pairs = new Pair[nodes][nodes];
        this.unconnected = new int[nodes];
        Arrays.fill(unconnected, nodes - 1);
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < i; j++) {
                pairs[i][j] = new Pair(i, j);
            }
        }
    }

    /** The index of a pair among all pairs. */
    static int pairIndex(int dialler, int acceptor) {
        return dialler * (dialler - 1) / 2 + acceptor;
    }

    /** Disconnects all links, and begins to connect them. */
    void begin() {
        simulation.deliverByHand(); // a link that is not connected delivers nothing
        for (int i = 1; i < nodes; i++) {
            dial(pairs[i][0]);
        }
    }

    private void dial(Pair pair) {
        attempt(pair);
        if (twice.get(pairIndex(pair.dialler, pair.acceptor))) {
            attempt(pair);
        }
    }

    private void attempt(Pair pair) {
        int attempt = ++pair.attempts;
        long delay = 0;
        for (int i = 0; i < FRAMES_TO_JOIN; i++) {
            boolean fromDialler = i % 2 == 0;
            delay +=
                    simulation
                            .delays()
                            .message(
                                    fromDialler ? pair.dialler : pair.acceptor,
                                    fromDialler ? pair.acceptor : pair.dialler,
                                    HANDSHAKE_BYTES);
        }
        simulation.after(delay, () -> onJoin(pair, attempt));
    }

    /** The acceptor admits or refuses an attempt. */
    private void onJoin(Pair pair, int attempt) {
        boolean waitsForOthers = !isConnectedWithAll(pair.acceptor);
        boolean admitted = pair.kept == 0 || waitsForOthers;
        if (admitted) {
            if (pair.kept > 0) {
                tell(pair, pair.kept, false);
            } else {
                unconnected[pair.dialler]--;
                unconnected[pair.acceptor]--;
            }
            pair.kept = attempt;
        }
        tell(pair, attempt, admitted);
        long answer = simulation.delays().message(pair.acceptor, pair.dialler, HANDSHAKE_BYTES);
        simulation.after(answer, () -> onAnswer(pair));
        if (admitted && pair.acceptor == 0 && waitsForOthers && isConnectedWithAll(0)) {
            sendRoster();
        }
    }

    private void tell(Pair pair, int attempt, boolean isKept) {
        for (Observer observer : simulation.observers()) {
            observer.onAttempt(pair.dialler, pair.acceptor, attempt, isKept);
        }
    }

    private boolean isConnectedWithAll(int node) {
        return unconnected[node] == 0;
    }

    private void sendRoster() {
        for (int i = 2; i < nodes; i++) {
            int dialler = i;
            long delay = simulation.delays().message(0, i, HANDSHAKE_BYTES);
            simulation.after(delay, () -> onRoster(dialler));
        }
    }

    private void onRoster(int dialler) {
        for (int acceptor = 1; acceptor < dialler; acceptor++) {
            dial(pairs[dialler][acceptor]);
        }
    }

    /** The dialler receives the answer to an attempt; the last answer connects the pair. */
    private void onAnswer(Pair pair) {
        pair.answered++;
        if (pair.answered == pair.attempts) {
            simulation.connect(pair.dialler, pair.acceptor, pair.kept);
            simulation.connect(pair.acceptor, pair.dialler, pair.kept);
        }
    }
}
