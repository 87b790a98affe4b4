package io.muninn.launch.cluster;

import io.muninn.agent.lifecycle.ServedNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hosts of a run and how many nodes each has, as in {@code a,b:2,c}. Nodes are numbered in this
 * order; the first host has the root.
 *
 * @param hosts at least one, each with a name of its own
 */
public record HostList(List<Host> hosts) {
    private static final Pattern HOST =
            Pattern.compile(
                    "([\\w.%+@-]+|(?:[\\w.+-]+@)?\\[[\\da-fA-F:.%\\w]+])(?::([1-9]\\d{0,3}))?");

    /**
     * One host.
     *
     * @param name as ssh takes it: a name, an address or an alias, perhaps behind {@code user@}
     * @param nodes at least 1
     */
    public record Host(String name, int nodes) {}

    public HostList {
        hosts = List.copyOf(hosts);
    }

    /**
     * Parses a list.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static HostList parse(String text) {
        List<Host> hosts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher host = HOST.matcher(part);
            if (!host.matches() || part.startsWith("-")) {
                throw new IllegalArgumentException(
                        "'"
                                + part
                                + "' is no host, as in b, user@b or [fd00::2], and no host with"
                                + " its nodes, as in b:2");
            }
            String name = host.group(1).replaceAll("[\\[\\]]", "");
            if (hosts.stream().anyMatch(each -> each.name().equals(name))) {
                throw new IllegalArgumentException(
                        "host " + name + " is there twice; " + name + ":2 gives it two nodes");
            }
            int nodes = Optional.ofNullable(host.group(2)).map(Integer::parseInt).orElse(1);
            hosts.add(new Host(name, nodes));
        }
        return new HostList(hosts);
    }

    /** The nodes of the run. */
    public int nodes() {
        return hosts.stream().mapToInt(Host::nodes).sum();
    }

    /** The nodes of the host that has most. */
    public int nodesMost() {
        return hosts.stream().mapToInt(Host::nodes).max().orElseThrow();
    }

    /** The nodes of each host. */
    public List<ServedNodes> shares() {
        List<ServedNodes> shares = new ArrayList<>();
        int next = 0;
        for (Host host : hosts) {
            shares.add(new ServedNodes(next, next + host.nodes() - 1));
            next += host.nodes();
        }
        return shares;
    }

    /** As {@link #parse} takes it. */
    @Override
    public String toString() {
        return String.join(
                ",",
                hosts.stream()
                        .map(host ->
                                (host.name().contains(":") ? "[" + host.name() + "]" : host.name())
                                        + (host.nodes() == 1 ? "" : ":" + host.nodes()))
                        .toList());
    }
}
