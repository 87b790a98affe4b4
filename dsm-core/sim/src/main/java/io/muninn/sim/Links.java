package io.muninn.sim;

import java.util.BitSet;
import java.util.function.Consumer;

/**
 * The links of a simulated cluster, one for each ordered pair of nodes. A link exists from the
 * first call that names it, because most pairs of many nodes never exchange a message.
 */
final class Links {
    private final int nodes;
    private final Link[] links; // by number; null until it is named
    private final BitSet carrying = new BitSet(); // numbers of the links with messages

    Links(int nodes) {
        this.nodes = nodes;
        this.links = new Link[nodes * nodes];
    }

    Link of(int from, int to) {
        int number = from * nodes + to;
        Link link = links[number];
        if (link == null) {
            link = new Link(from, to);
            links[number] = link;
        }
        return link;
    }

    /** Queues a message on a link. */
    void accept(Link link, Link.Frame frame) {
        link.accept(frame);
        carrying.set(number(link));
    }

    /** Takes the oldest message of a link. */
    Link.Frame deliver(Link link) {
        Link.Frame frame = link.deliver();
        carrying.set(number(link), !link.frames().isEmpty());
        return frame;
    }

    void cut(int from, int to) {
        of(from, to).cut();
        carrying.clear(from * nodes + to);
    }

    /** Disconnects all links, before the first message. */
    void disconnect() {
        for (int i = 0; i < links.length; i++) {
            of(i / nodes, i % nodes).disconnect();
        }
    }

    /** Calls the action for every link with messages, by sender and receiver. */
    void forEachCarrying(Consumer<Link> action) {
        for (int i = carrying.nextSetBit(0); i >= 0; i = carrying.nextSetBit(i + 1)) {
            action.accept(links[i]);
        }
    }

    private int number(Link link) {
        return link.from() * nodes + link.to();
    }
}
