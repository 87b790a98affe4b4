package io.muninn.api;

/**
 * Thrown at a barrier that is broken because a waiting thread timed out. Unchecked, unlike {@link
 * java.util.concurrent.BrokenBarrierException}, because a program cannot recover from it.
 */
public class BarrierBrokenException extends DsmException {
    private static final long serialVersionUID = 1L;

    /**
     * @param detail the barrier's name, and the thread that timed out
     */
    public BarrierBrokenException(String detail) {
        super(detail);
    }
}
