package io.muninn.sim;

/** A pretended thread touched a page that is gone with its node. */
public final class PageLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PageLostException(String page) {
        super("lost: " + page);
    }
}
