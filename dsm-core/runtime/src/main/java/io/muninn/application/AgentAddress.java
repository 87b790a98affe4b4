package io.muninn.application;

import io.muninn.api.Cluster;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The address of an application's agent, which the agent passes in the environment of its child.
 *
 * @param socket abstract name of the agent's call socket
 * @param token 32 bytes that prove that the agent started this process
 * @param node this node
 * @param process the number of this process in its node
 * @param firstThread the number of its first thread in the node
 * @param cluster the nodes that the program sees, and the threads of each
 * @param name this process in messages to the user, as in "node 1" or "process 2 of node 1"
 */
public record AgentAddress(
        String socket,
        byte[] token,
        int node,
        int process,
        int firstThread,
        Cluster cluster,
        String name) {
    /** The variable that all processes of a launcher have. */
    public static final String RUN_VARIABLE = "MUNINN_RUN";

    private static final String VARIABLE = "MUNINN_AGENT";
    private static final int PARTS = 8;

    /** The agent of this process; empty if no agent started it. */
    public static Optional<AgentAddress> ofThisProcess() {
        String text = System.getenv(VARIABLE);
        if (text == null) {
            return Optional.empty();
        }
        String[] parts = text.split(" ", PARTS);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException(VARIABLE + " is '" + text + "'");
        }
        return Optional.of(
                new AgentAddress(
                        parts[0],
                        HexFormat.of().parseHex(parts[1]),
                        Integer.parseInt(parts[2]),
                        Integer.parseInt(parts[3]),
                        Integer.parseInt(parts[4]),
                        new Cluster(Integer.parseInt(parts[5]), Integer.parseInt(parts[6])),
                        parts[7]));
    }

    /** Puts the address into a child's environment. */
    public void putInto(Map<String, String> environment) {
        environment.put(
                VARIABLE,
                String.join(
                        " ",
                        socket,
                        HexFormat.of().formatHex(token),
                        Integer.toString(node),
                        Integer.toString(process),
                        Integer.toString(firstThread),
                        Integer.toString(cluster.nodes()),
                        Integer.toString(cluster.threads()),
                        name));
    }
}
