package io.muninn.lasting;

/**
 * The other end of a link has sent a number that no correct end sends. The link ends: what is lost
 * cannot be sent again.
 */
public final class FrameNumberException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param what continues "node 2 …", as in "left out frame 7"
     */
    FrameNumberException(String what) {
        super(what, null, false, false); // a value, not a fault of this node
    }
}
