package io.muninn.api;

/**
 * A barrier is of no more use: a thread that waited at it gave up. Unchecked, unlike {@link
 * java.util.concurrent.BrokenBarrierException}, because no program goes on from here.
 */
public class BarrierBrokenException extends DsmException {
    private static final long serialVersionUID = 1L;

    /**
     * @param detail the barrier's name, and who gave up
     */
    public BarrierBrokenException(String detail) {
        super(detail);
    }
}
