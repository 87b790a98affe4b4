package io.muninn.sim.ncc;

/**
 * The mesh and the memories. A message waits for the link of its sender and for that of its
 * receiver, each of which its data occupy; links between them are never busy. Requests and answers
 * without data occupy no link. A memory serves one request after another.
 *
 * <p>Times are cycles since the start. A caller passes times that do not decrease much, see {@link
 * Timeline#settle}.
 *
 * <p>Source: Kontothanassis and Scott, section 3 (contention at the sending and receiving nodes
 * alone).
 */
final class Hardware {
    private final NccModel model;
    private final int width; // of the mesh
    private final long[] outFree;
    private final long[] inFree;
    private final long[] memoryFree;

    Hardware(NccModel model, int nodes) {
        this.model = model;
        width = (int) Math.ceil(Math.sqrt(nodes));
        outFree = new long[nodes];
        inFree = new long[nodes];
        memoryFree = new long[nodes];
    }

    NccModel model() {
        return model;
    }

    /** Links between two nodes of the mesh. */
    int hops(int from, int to) {
        return Math.abs(from % width - to % width) + Math.abs(from / width - to / width);
    }

    /** How long a message without data travels. */
    long way(int from, int to) {
        return (long) model.hop() * hops(from, to);
    }

    /**
     * Sends data.
     *
     * @return when their last byte has arrived
     */
    long send(int from, int to, int words, long time) {
        if (from == to) {
            return time;
        }
        long occupied = Math.ceilDiv(words * NccModel.WORD_BYTES, model.pathBytes());
        outFree[from] = Math.max(time, outFree[from]) + occupied;
        long head = outFree[from] - occupied + way(from, to);
        inFree[to] = Math.max(head, inFree[to]) + occupied;
        return inFree[to];
    }

    /** When the sender's link has taken all data that were sent. */
    long outFree(int from) {
        return outFree[from];
    }

    /** When a memory has served a request that arrives at a time. */
    long memory(int home, int words, long time) {
        memoryFree[home] = Math.max(time, memoryFree[home]) + model.memory(words);
        return memoryFree[home];
    }

    /** When an uncached word, or an atomic operation on one, has been answered. */
    long word(int from, int home, long time) {
        long served = memory(home, 1, time + way(from, home));
        return served + way(home, from);
    }

    /** How long an uncached word takes if nothing is busy. */
    long wordAlone(int from, int home) {
        return 2 * way(from, home) + model.memory(1);
    }

    /** When words of a line have arrived from memory. */
    long fetch(int from, int home, int words, long time) {
        long served = memory(home, words, time + way(from, home));
        return send(home, from, words, served);
    }

    /** When words that were sent to memory have been acknowledged. */
    long write(int from, int home, int words, long time) {
        long served = memory(home, words, send(from, home, words, time));
        return served + way(home, from);
    }
}
