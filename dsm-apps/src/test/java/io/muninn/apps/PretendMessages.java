package io.muninn.apps;

import io.muninn.api.Message;
import io.muninn.api.spi.NodeMessages;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Messages between the nodes of a {@link PretendCluster}, in order of sending. */
final class PretendMessages extends NodeMessages {
    private final Mail mail;
    private final int node;
    private final int nodes;

    PretendMessages(Mail mail, int node, int nodes) {
        this.mail = mail;
        this.node = node;
        this.nodes = nodes;
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    private record Letter(int to, Message message) {}

    /** What has been sent and not been received, anywhere in the cluster. */
    static final class Mail {
        private final List<Letter> letters = new ArrayList<>();

        private synchronized void add(Letter letter) {
            letters.add(letter);
            notifyAll();
        }

        /**
         * @return null if there is none until then
         */
        private synchronized @Nullable Message take(int to, int from, int tag, long deadline)
                throws InterruptedException {
            while (true) {
                for (Iterator<Letter> each = letters.iterator(); each.hasNext(); ) {
                    Letter letter = each.next();
                    Message message = letter.message();
                    boolean isFrom = from == ANY || from == message.node();
                    if (letter.to() == to && isFrom && message.tag() == tag) {
                        each.remove();
                        return message;
                    }
                }
                long restNanos = deadline - System.nanoTime();
                if (restNanos <= 0) {
                    return null;
                }
                TimeUnit.NANOSECONDS.timedWait(this, restNanos);
            }
        }
    }

    @Override
    public void send(int to, int tag, MemorySegment source) {
        byte[] copy = new byte[(int) source.byteSize()];
        MemorySegment.ofArray(copy).copyFrom(source);
        mail.add(new Letter(to, new Message(node, tag, MemorySegment.ofArray(copy).asReadOnly())));
    }

    @Override
    public Message receive(int from, int tag) {
        try {
            return receive(from, tag, 1, TimeUnit.MINUTES);
        } catch (TimeoutException cause) {
            throw new IllegalStateException("nobody sends with tag " + tag, cause);
        }
    }

    @Override
    public Message receive(int from, int tag, long time, TimeUnit unit) throws TimeoutException {
        try {
            Message message = mail.take(node, from, tag, System.nanoTime() + unit.toNanos(time));
            if (message == null) {
                throw new TimeoutException("no message from " + from + " with tag " + tag);
            }
            return message;
        } catch (InterruptedException cause) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("another node failed", cause);
        }
    }
}
