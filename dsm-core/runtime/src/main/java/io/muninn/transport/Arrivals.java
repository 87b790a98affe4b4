package io.muninn.transport;

import io.muninn.model.NodeId;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The connections that a node has accepted and not yet admitted.
 *
 * <p><b>Places.</b> Those that have not shown the secret have places, of which there are {@value
 * #PLACES_MAX}, and {@value #PLACES_OF_SOURCE} for each source: an address, or this host. A
 * connection always gets one. If there is none, one that has not opened the handshake gives up its
 * own, of the source that has most, the oldest first; only then one that has. So a node keeps its
 * place while others connect and say nothing, and whoever has shown the secret needs none. All
 * nodes of a host fit, twice: each tries once at a time, and what it gave up may still be here.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class Arrivals {
    static final int PLACES_MAX = 256;
    static final int PLACES_OF_SOURCE = 2 * NodeId.NODES_MAX;

    private final Map<AcceptingHandshake, String> places = new LinkedHashMap<>(); // to the source
    private final Set<AcceptingHandshake> proven = new LinkedHashSet<>();
    private final Consumer<String> turnedAway;

    /**
     * @param turnedAway receives whose connection was turned away, and why
     */
    Arrivals(Consumer<String> turnedAway) {
        this.turnedAway = turnedAway;
    }

    /** Gives a connection its place, until its channel is closed or it has shown the secret. */
    void add(AcceptingHandshake handshake, Channel channel) {
        String source = source(channel);
        makeRoomFor(source);
        places.put(handshake, source);
        channel.closeFuture().addListener(_ -> forget(handshake));
    }

    /** The other side has shown the secret. */
    void onProven(AcceptingHandshake handshake) {
        places.remove(handshake);
        proven.add(handshake);
    }

    /** It was admitted, or is gone. */
    void forget(AcceptingHandshake handshake) {
        places.remove(handshake);
        proven.remove(handshake);
    }

    /** Ends all that is under way. */
    void abandon() {
        List.copyOf(places.keySet()).forEach(AcceptingHandshake::abandon);
        List.copyOf(proven).forEach(AcceptingHandshake::abandon);
    }

    private void makeRoomFor(String source) {
        Map<String, Integer> counts = new HashMap<>();
        places.values().forEach(each -> counts.merge(each, 1, Integer::sum));
        if (counts.getOrDefault(source, 0) >= PLACES_OF_SOURCE) {
            giveUpOneOf(source);
        } else if (places.size() >= PLACES_MAX) {
            giveUpOneOf(most(counts));
        }
    }

    private static String most(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .orElseThrow()
                .getKey();
    }

    private void giveUpOneOf(String source) {
        Collection<AcceptingHandshake> all =
                places.entrySet().stream()
                        .filter(place -> place.getValue().equals(source))
                        .map(Map.Entry::getKey)
                        .toList();
        AcceptingHandshake oldest =
                all.stream()
                        .filter(AcceptingHandshake::isUnopened)
                        .findFirst()
                        .orElseGet(all.iterator()::next);
        forget(oldest);
        oldest.abandon();
        turnedAway.accept(source + " others needed its place");
    }

    /** Tells of a connection that was turned away. */
    void turnedAway(Channel channel, String reason) {
        turnedAway.accept(source(channel) + " " + reason);
    }

    private static String source(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress internet
                ? internet.getAddress().getHostAddress()
                : "unix";
    }
}
