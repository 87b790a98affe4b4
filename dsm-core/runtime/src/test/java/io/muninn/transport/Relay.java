package io.muninn.transport;

import io.muninn.transport.net.Address;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Something between two nodes that the test commands: it cuts connections, forgets them without a
 * word, as a NAT does, or accepts none.
 *
 * <p><b>Threads.</b> Its own, which end with it; called from any thread.
 */
final class Relay implements AutoCloseable {
    private static final int PIECE_BYTES = 4 << 10;

    private final ServerSocket listening;
    private final int target;
    private final List<Socket> sockets = new ArrayList<>(); // guarded by this relay
    private final AtomicLong carried = new AtomicLong();
    private volatile long cutAt = Long.MAX_VALUE; // cuts once when so many bytes were carried
    private volatile boolean isAway; // accepts nothing
    private volatile int generation; // connections of an older one are forgotten

    Relay(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    Address.Tcp address() {
        return new Address.Tcp("127.0.0.1", listening.getLocalPort());
    }

    /** Cuts all connections, when so many more bytes were carried. */
    void cutAfter(long bytes) {
        cutAt = carried.get() + bytes;
    }

    /** Cuts all connections now. */
    synchronized void cut() {
        for (Socket socket : sockets) {
            try {
                socket.setSoLinger(true, 0); // a reset
                socket.close();
            } catch (IOException closedMeanwhile) {
                continue;
            }
        }
        sockets.clear();
    }

    /** Cuts all connections and refuses others until {@link #back}. */
    void away() {
        isAway = true;
        cut();
    }

    void back() {
        isAway = false;
    }

    /** From now on nothing of the connections so far arrives, and nobody is told. */
    void forget() {
        generation++;
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listening.accept();
                Socket to = new Socket();
                if (isAway || !connect(to)) {
                    from.close();
                    continue;
                }
                keep(from, to);
                int mine = generation;
                Thread.ofVirtual().start(() -> pump(from, to, mine));
                Thread.ofVirtual().start(() -> pump(to, from, mine));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private boolean connect(Socket to) {
        try {
            to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            to.setTcpNoDelay(true);
            return true;
        } catch (IOException nobodyListens) {
            return false;
        }
    }

    private synchronized void keep(Socket from, Socket to) throws IOException {
        from.setTcpNoDelay(true);
        sockets.add(from);
        sockets.add(to);
    }

    private void pump(Socket from, Socket to, int mine) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE_BYTES];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                if (mine != generation) {
                    continue;
                }
                out.write(piece, 0, count);
                if (carried.addAndGet(count) >= cutAt) {
                    cutAt = Long.MAX_VALUE;
                    cut();
                }
            }
            if (mine == generation) {
                to.shutdownOutput();
            }
        } catch (IOException ended) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
