package io.muninn.transport.join;

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
 * The connections that a node has accepted but not yet admitted.
 *
 * <p><b>Places.</b> A connection that has not proved the secret occupies a place. There are {@value
 * #PLACES_MAX} places, and at most {@value #PLACES_OF_SOURCE} per source: an address, or this host.
 * A new connection always gets a place. If none is free, the oldest connection of the source with
 * most places is closed; connections that have not opened the handshake are closed before those
 * that have. So a node keeps its place while other processes connect and send nothing, and a node
 * that has proved the secret needs no place. All nodes of a host fit twice: each makes one attempt
 * at a time, and an attempt that it gave up may still be here.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class Arrivals {
    static final int PLACES_MAX = 256;
    static final int PLACES_OF_SOURCE = 2 * NodeId.LIVE_MAX;

    private final Map<AcceptingHandshake, String> places = new LinkedHashMap<>(); // by source
    private final Set<AcceptingHandshake> proven = new LinkedHashSet<>();
    private final Consumer<String> turnedAway;

    /**
     * @param turnedAway receives the source of a refused connection, with the reason
     */
    Arrivals(Consumer<String> turnedAway) {
        this.turnedAway = turnedAway;
    }

    /** Gives a connection a place, until its channel is closed or it has proved the secret. */
    void add(AcceptingHandshake handshake, Channel channel) {
        String source = source(channel);
        makeRoomFor(source);
        places.put(handshake, source);
        channel.closeFuture().addListener(_ -> forget(handshake));
    }

    /** The other side has proved the secret. */
    void onProven(AcceptingHandshake handshake) {
        places.remove(handshake);
        proven.add(handshake);
    }

    /** Removes a connection that was admitted or has ended. */
    void forget(AcceptingHandshake handshake) {
        places.remove(handshake);
        proven.remove(handshake);
    }

    /** Cancels all handshakes in progress. */
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

    /** Reports a refused connection. */
    void turnedAway(Channel channel, String reason) {
        turnedAway.accept(source(channel) + " " + reason);
    }

    private static String source(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress internet
                ? internet.getAddress().getHostAddress()
                : "unix";
    }
}
