package io.muninn.sim.ncc;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The ways to keep the caches of the machine coherent.
 *
 * <p>Source: Kontothanassis and Scott, sections 4.1 and 4.4.
 */
public enum NccProtocol {
    /** Weak lists for each processor; transitions at the release. */
    DISTRIBUTED_DELAYED("rel.distr.del"),
    /** Weak lists for each processor; transitions at the store. */
    DISTRIBUTED_IMMEDIATE("rel.distr.nodel"),
    /** One weak list; transitions at the release. */
    CENTRAL_DELAYED("rel.centr.del"),
    /** One weak list; transitions at the store. */
    CENTRAL_IMMEDIATE("rel.centr.nodel"),
    /** Pages with a single writer, sequentially consistent. */
    SEQUENTIAL("seq"),
    /** A directory in hardware, sequentially consistent. */
    HARDWARE_SEQUENTIAL("hw.seq"),
    /** A directory in hardware, release-consistent. */
    HARDWARE_RELEASE("hw.rel");

    private final String text;

    NccProtocol(String text) {
        this.text = text;
    }

    /** The name in commands and tables. */
    public String text() {
        return text;
    }

    /** Whether transitions to the weak state wait for the next release. */
    boolean isDelayed() {
        return this == DISTRIBUTED_DELAYED || this == CENTRAL_DELAYED;
    }

    /** Whether there is one weak list for all processors. */
    boolean isCentral() {
        return this == CENTRAL_DELAYED || this == CENTRAL_IMMEDIATE;
    }

    /**
     * The protocol with a name.
     *
     * @throws IllegalArgumentException if there is none, with all names
     */
    public static NccProtocol of(String text) {
        return Arrays.stream(values())
                .filter(each -> each.text.equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "no protocol "
                                        + text
                                        + "; choose one of "
                                        + Arrays.stream(values())
                                                .map(NccProtocol::text)
                                                .collect(Collectors.joining(", "))));
    }
}
