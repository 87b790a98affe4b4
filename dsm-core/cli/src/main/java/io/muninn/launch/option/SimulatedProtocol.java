package io.muninn.launch.option;

import io.muninn.api.Protocol;

/**
 * The protocol of a simulated run, which overrides every annotation.
 *
 * @param hasUpdates whether hardware sends stores to pages with another home (AURC)
 */
public record SimulatedProtocol(Protocol protocol, boolean hasUpdates) {
    /** Its name. */
    public String word() {
        return hasUpdates ? Converters.AUTOMATIC : protocol.word();
    }
}
