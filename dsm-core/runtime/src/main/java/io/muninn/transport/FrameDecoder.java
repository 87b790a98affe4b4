package io.muninn.transport;

import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.Control;
import io.muninn.wire.Codecs;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes the frames of other nodes.
 *
 * @param codecs of the messages
 * @param nodes number of nodes
 * @param messages knows which pages exist, and their names
 */
record FrameDecoder(Codecs codecs, int nodes, MessageListener messages) {
    private static final Logger LOG = LoggerFactory.getLogger(FrameDecoder.class);

    /**
     * @throws MalformedMessageException if it is no message, or of nodes or pages that do not exist
     */
    WireMessage decode(ByteBufReader frame) {
        boolean isControl = frame.startsControl();
        frame.within(nodes, messages::hasPage);
        return isControl ? Control.decode(frame) : codecs.decode(frame);
    }

    /** Names what a frame is about whose bytes are wrong, as far as they show it. */
    String about(ByteBufReader frame) {
        String kind = "";
        try {
            kind = " in " + decode(frame).codec().name();
        } catch (MalformedMessageException malformed) {
            LOG.debug("event=wrong-bytes reason={}", malformed.getMessage());
        }
        return frame.wrongPage().map(page -> " of " + messages.nameOf(page)).orElse("") + kind;
    }
}
