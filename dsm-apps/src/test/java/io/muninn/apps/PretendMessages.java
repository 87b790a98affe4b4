package io.muninn.apps;

import io.muninn.api.Message;
import io.muninn.api.Messages;
import io.muninn.api.service.MessageLink;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Messages of one node of a {@link PretendCluster}, in order of sending. */
record PretendMessages(Mail mail, int node) implements MessageLink {
    private record Letter(int to, Message message) {}

    /** Messages of the whole cluster that have been sent and not received. */
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
                    boolean isFrom = from == Messages.ANY || from == message.node();
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
    public Message receive(int from, int tag, long limitNanos) throws TimeoutException {
        long mostNanos = limitNanos < 0 ? TimeUnit.MINUTES.toNanos(1) : limitNanos;
        try {
            Message message = mail.take(node, from, tag, System.nanoTime() + mostNanos);
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
