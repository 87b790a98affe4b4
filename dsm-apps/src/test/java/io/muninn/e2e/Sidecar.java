package io.muninn.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy on loopback between two agents, which never alters a byte. It cuts connections at random
 * places, is away for a while, or forgets all connections without a word, as a network address
 * translator does.
 *
 * <p><b>Threads.</b> Its own, which end with it. It is called from any thread.
 */
final class Sidecar implements AutoCloseable {
    private static final int PIECE_BYTES = 16 << 10;

    private final ServerSocket listening;
    private final int target;
    private final List<Socket> sockets = new ArrayList<>(); // guarded by this
    private final Random random; // guarded by this
    private final int cutWithin;
    private final AtomicInteger cutsLeft;
    private volatile boolean isAway;
    private volatile boolean isDark;
    private volatile int generation; // connections of older ones are forgotten

    private Sidecar(int target, long seed, int cuts, int cutWithin) throws IOException {
        this.target = target;
        this.random = new Random(seed);
        this.cutWithin = cutWithin;
        cutsLeft = new AtomicInteger(cuts);
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /**
     * A proxy that does nothing by itself.
     *
     * @param target port of the loopback address where one agent listens, now or later
     */
    static Sidecar open(int target) throws IOException {
        return new Sidecar(target, 0, 0, 1);
    }

    /**
     * A proxy that cuts connections.
     *
     * @param cuts how many
     * @param within each connection is cut before so many bytes of one direction have passed
     */
    static Sidecar cutting(int target, long seed, int cuts, int within) throws IOException {
        return new Sidecar(target, seed, cuts, within);
    }

    /** Where the other agent finds it. */
    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** How many connections it may still cut. */
    int cutsLeft() {
        return cutsLeft.get();
    }

    /** Resets all connections and closes all that come, until {@link #comeBack}. */
    void goAway() {
        isAway = true;
        reset();
    }

    void comeBack() {
        isAway = false;
        isDark = false;
    }

    /**
     * Forgets all connections, and until {@link #comeBack} also those that come: nothing arrives
     * that is sent on them, and nobody is told.
     */
    void goDark() {
        isDark = true;
        generation++;
    }

    private synchronized void reset() {
        sockets.forEach(Sidecar::reset);
        sockets.clear();
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException closedMeanwhile) {
            return; // no more is wanted
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listening.accept();
                Socket to = new Socket();
                if (isDark) {
                    hold(from);
                    continue;
                }
                if (isAway || !connect(to)) {
                    from.close(); // the agent dials again
                    continue;
                }
                carry(from, to);
            }
        } catch (IOException closed) {
            return;
        }
    }

    private synchronized void hold(Socket from) {
        sockets.add(from);
    }

    private boolean connect(Socket to) {
        try {
            to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            return true;
        } catch (IOException nobodyListens) {
            return false;
        }
    }

    private synchronized void carry(Socket from, Socket to) throws IOException {
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        sockets.add(from);
        sockets.add(to);
        int mine = generation;
        long there = 1 + random.nextInt(cutWithin);
        long back = 1 + random.nextInt(cutWithin);
        Thread.ofVirtual().start(() -> pump(from, to, mine, there));
        Thread.ofVirtual().start(() -> pump(to, from, mine, back));
    }

    /**
     * @param due bytes before it is cut, if any cuts are left
     */
    private void pump(Socket from, Socket to, int mine, long due) {
        long left = due;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE_BYTES];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                if (mine != generation) {
                    continue;
                }
                boolean now = left <= count && left > 0 && cutsLeft.getAndDecrement() > 0;
                out.write(piece, 0, now ? (int) left : count);
                left -= count;
                if (now) {
                    reset(from);
                    reset(to);
                    return;
                }
            }
            if (mine == generation) {
                to.shutdownOutput();
            }
        } catch (IOException ended) {
            reset(to);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        reset();
    }
}
