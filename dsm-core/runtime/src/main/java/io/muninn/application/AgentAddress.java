package io.muninn.application;

import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The address of an application's agent, which the agent passes in the environment of its child.
 *
 * @param socket abstract name of the agent's call socket
 * @param token 32 bytes that prove that the agent started this process
 * @param node this node, for messages to the user
 */
public record AgentAddress(String socket, byte[] token, int node) {
    private static final String VARIABLE = "MUNINN_AGENT";

    /** The agent of this process; empty if no agent started it. */
    public static Optional<AgentAddress> ofThisProcess() {
        String text = System.getenv(VARIABLE);
        if (text == null) {
            return Optional.empty();
        }
        String[] parts = text.split(" ", 3);
        if (parts.length != 3) {
            throw new IllegalArgumentException(VARIABLE + " is '" + text + "'");
        }
        return Optional.of(
                new AgentAddress(
                        parts[0], HexFormat.of().parseHex(parts[1]), Integer.parseInt(parts[2])));
    }

    /** Puts the address into a child's environment. */
    public void putInto(Map<String, String> environment) {
        environment.put(VARIABLE, socket + " " + HexFormat.of().formatHex(token) + " " + node);
    }
}
