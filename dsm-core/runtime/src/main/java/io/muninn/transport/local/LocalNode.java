package io.muninn.transport.local;

import io.muninn.model.NodeId;
import io.muninn.transport.stream.Control;
import io.muninn.transport.stream.Link;
import java.util.Optional;

/** A node that meets other nodes of its agent. */
public interface LocalNode {
    NodeId self();

    /** What this node says when it joins another of this agent. */
    Control.Join joinHere();

    /** The reason why another node of this agent may not join this one; empty if it may. */
    Optional<String> refusalHere(Control.Join join);

    /** Another node of this agent was refused here. */
    void turnedAwayHere(Control.Join join, String reason);

    /** This node was refused by another. */
    void refused(NodeId target, String text);

    LocalLink newLocalLink();

    /** Another node has joined this one. */
    void admit(Link link, Control.Join join);

    /** This node has joined another. */
    void welcomed(NodeId target, Link link);
}
