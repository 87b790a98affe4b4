package io.muninn.spi;

import io.muninn.api.Protocol;
import io.muninn.api.spi.Layout;
import java.util.Locale;
import java.util.Optional;

/**
 * The variant of weak pages ({@link io.muninn.api.Protocol#WEAK}), the same on every node.
 *
 * <p>Source: Kontothanassis and Scott, "Software Cache Coherence for Large Scale Multiprocessors",
 * sections 2 and 4.1. {@link Notices#PUBLISH} is not in the paper.
 *
 * @param transition when a store announces itself
 * @param lists where write notices are kept
 * @param notices which nodes get them
 * @param unsafeAfter publications with notices before the one that makes a page unsafe, at least 0.
 *     A centralized list makes no page unsafe
 * @param safeAfter checks in a row that find no stale copy, until a page is safe again, at least 1
 * @param isPooled true if frames, map and lists are in memory that all nodes address; false if each
 *     home has those of its pages. A pool has a list for each node
 */
public record WeakRules(
        Transition transition,
        Lists lists,
        Notices notices,
        int unsafeAfter,
        int safeAfter,
        boolean isPooled) {
    /** When a store announces itself. */
    public enum Transition {
        /** At the release that follows. */
        DELAYED,
        /** At its write fault. */
        IMMEDIATE;

        /** Its name on command lines. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where write notices are kept. */
    public enum Lists {
        /** Each node has a list of its own pages. */
        DISTRIBUTED,
        /** One node has a list for all, which every acquire reads. */
        CENTRALIZED;

        /** Its name on command lines. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Which nodes get notices. */
    public enum Notices {
        /** All that map a page that becomes weak, or is: also its writer, and later mappers. */
        TRANSITION,
        /** With each publication those that have mapped the page before it. */
        PUBLISH;

        /** Its name on command lines. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The rules of a run without options: the paper's best protocol. */
    public static final WeakRules DEFAULT =
            new WeakRules(Transition.DELAYED, Lists.DISTRIBUTED, Notices.TRANSITION, 8, 8);

    /** Rules of pages with homes. */
    public WeakRules(
            Transition transition, Lists lists, Notices notices, int unsafeAfter, int safeAfter) {
        this(transition, lists, notices, unsafeAfter, safeAfter, false);
    }

    public WeakRules {
        if (unsafeAfter < 0 || safeAfter < 1) {
            throw new IllegalArgumentException(
                    "weak pages unsafe after " + unsafeAfter + ", safe after " + safeAfter);
        }
        if (transition == Transition.IMMEDIATE && notices == Notices.PUBLISH) {
            throw new IllegalArgumentException(
                    "immediate transitions of weak pages need notices at the transition");
        }
        if (isPooled && lists == Lists.CENTRALIZED) {
            throw new IllegalArgumentException("a pool of weak pages has a list for each node");
        }
    }

    /** These rules over a pool. */
    public WeakRules pooled() {
        return new WeakRules(transition, Lists.DISTRIBUTED, notices, unsafeAfter, safeAfter, true);
    }

    /**
     * Checks that the pool of a run, if it has one, has a use.
     *
     * @param override the protocol in place of every annotation, if there is one
     * @param inForce the variables that the program declares, under the protocols of the run
     * @throws IllegalArgumentException whose text is for the user
     */
    public void checkPool(Optional<Protocol> override, Layout inForce) {
        boolean isUsed =
                override.equals(Optional.of(Protocol.WEAK))
                        || inForce.regions().stream()
                                .anyMatch(region -> region.protocol() == Protocol.WEAK);
        if (isPooled && !isUsed) {
            throw new IllegalArgumentException(
                    "--pool is for weak variables, and the program declares none: add --protocol"
                            + " weak, or leave --pool out");
        }
    }

    public boolean isImmediate() {
        return transition == Transition.IMMEDIATE;
    }

    public boolean isCentralized() {
        return lists == Lists.CENTRALIZED;
    }

    /** The rules as text, for messages and for nodes that compare their rules. */
    public String text() {
        return "weak pages: "
                + transition.word()
                + " transitions, "
                + lists.word()
                + " lists, notices at each "
                + notices.word()
                + ", unsafe after "
                + unsafeAfter
                + ", safe after "
                + safeAfter
                + (isPooled ? ", over a pool" : "");
    }
}
