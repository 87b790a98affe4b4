package io.muninn.sim;

/** A simulated thread accessed a page that was lost with its node. */
public final class PageLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PageLostException(String page) {
        super("lost: " + page);
    }
}
