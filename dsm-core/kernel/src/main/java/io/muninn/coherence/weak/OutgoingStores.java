package io.muninn.coherence.weak;

import io.muninn.coherence.weak.WeakMessages.Fill;
import io.muninn.coherence.weak.WeakMessages.Msg;
import io.muninn.coherence.weak.WeakMessages.Publish;
import io.muninn.coherence.weak.WeakMessages.PublishAck;
import io.muninn.coherence.weak.WeakMessages.PublishedPage;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.ProtocolViolation;
import io.muninn.wire.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Stores that a node sends to those that keep the frames, and what is not acknowledged.
 *
 * <p><b>Order.</b> Messages about a page are sent in order. The number of unacknowledged bytes for
 * each receiver has a limit. The rest is queued here, unless another message about one of its pages
 * is to be sent.
 */
final class OutgoingStores {
    /** What a part says of its page. */
    enum Kind {
        /** Stores of the sender, to be written back and published. */
        PUBLISHED,
        /** Stores of the sender, which has announced them before. */
        ANNOUNCED,
        /** The first content. */
        FIRST
    }

    /**
     * A page of a message.
     *
     * @param number of the publication
     * @param bytes length of the diff or image; 0 if there is none
     */
    record Part(PageId page, long number, int bytes, Kind kind) {}

    private record Sent(List<Part> parts, long bytes) {}

    private static final class Receiver {
        final ArrayDeque<Part> queue = new ArrayDeque<>();
        final Map<Long, Sent> unacknowledged = new LinkedHashMap<>(); // by number
        long last; // number of the last message
        long bytes; // of the unacknowledged ones
    }

    private final MessageLimits limits;
    private final TreeMap<NodeId, Receiver> receivers = new TreeMap<>();

    OutgoingStores(MessageLimits limits) {
        this.limits = limits;
    }

    void add(NodeId to, Part part) {
        receiver(to).queue.add(part);
    }

    private Receiver receiver(NodeId node) {
        return receivers.computeIfAbsent(node, _ -> new Receiver());
    }

    /** Sends a message, behind all queued stores to its pages. */
    void send(NodeId to, Msg message, Effects out) {
        Receiver receiver = receiver(to);
        if (!receiver.queue.isEmpty()) {
            TreeSet<PageId> about = new TreeSet<>(message.pages());
            while (receiver.queue.stream().anyMatch(part -> about.contains(part.page()))) {
                sendParts(to, receiver, out);
            }
        }
        out.send(to, message);
    }

    /** Sends as much as the limits permit. */
    void sendAll(Effects out) {
        receivers.forEach((node, receiver) -> sendSome(node, receiver, out));
    }

    private void sendSome(NodeId node, Receiver receiver, Effects out) {
        while (!receiver.queue.isEmpty() && receiver.bytes < limits.windowBytes()) {
            sendParts(node, receiver, out);
        }
    }

    private void sendParts(NodeId node, Receiver receiver, Effects out) {
        Kind kind = receiver.queue.element().kind();
        int pages = kind == Kind.FIRST ? 1 : limits.pages();
        List<Part> parts = new ArrayList<>();
        long bytes = 0;
        while (parts.size() < pages
                && bytes < limits.diffBytes()
                && !receiver.queue.isEmpty()
                && receiver.queue.element().kind() == kind) {
            Part part = receiver.queue.remove();
            parts.add(part);
            bytes += part.bytes();
        }
        receiver.last++;
        receiver.bytes += bytes;
        receiver.unacknowledged.put(receiver.last, new Sent(parts, bytes));
        out.send(node, message(receiver.last, kind, parts));
        for (Part part : parts) {
            if (part.bytes() > 0 && kind != Kind.FIRST) {
                out.dropDiff(part.page(), part.number());
            }
        }
    }

    private static Msg message(long number, Kind kind, List<Part> parts) {
        if (kind == Kind.FIRST) {
            PageId page = parts.getFirst().page();
            return new Fill(number, page, new Payload.PageImage(page));
        }
        List<PublishedPage> published =
                parts.stream().map(part -> new PublishedPage(part.page(), diff(part))).toList();
        return new Publish(number, kind == Kind.PUBLISHED, published);
    }

    private static Payload diff(Part part) {
        return part.bytes() == 0 ? Payload.NONE : new Payload.SavedDiff(part.page(), part.number());
    }

    /** Takes what a receiver has acknowledged. The caller {@linkplain #goOn goes on} then. */
    List<Part> acknowledged(NodeId from, PublishAck ack) {
        Receiver receiver = receiver(from);
        Sent sent = receiver.unacknowledged.remove(ack.number());
        if (sent == null) {
            throw new ProtocolViolation("node=" + from + " event=" + ack + ": not published");
        }
        receiver.bytes -= sent.bytes();
        return sent.parts();
    }

    /** Sends what an acknowledgement permits. */
    void goOn(NodeId to, Effects out) {
        sendSome(to, receiver(to), out);
    }
}
