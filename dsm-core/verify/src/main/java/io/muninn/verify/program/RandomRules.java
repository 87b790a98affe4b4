package io.muninn.verify.program;

import io.muninn.api.spi.RegionSpec;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WeakRules;
import java.util.Random;

/** Draws the rules of a run: those of updates, twins, read-ahead and the limits of messages. */
final class RandomRules {
    /** The largest number of pages exceeds that of the regions of random programs. */
    private static final int READ_AHEAD_BITS_MAX = 5;

    /** The longest window is a few flush delays, during which several updates arrive. */
    private static final int WINDOW_BITS_MAX = 20;

    private static final int LAZY_BYTES_BITS_MAX = 14;

    private static final int PACKET_BYTES_MAX = 400;

    private static final int TWINS_KEPT_MAX = 4;

    private static final int PAGES_BITS_MAX = 4;

    /** From less than the shortest diff to many diffs of random programs. */
    private static final int DIFF_BYTES_BITS_MAX = 10;

    private static final int IMAGES_MAX = 4;

    private RandomRules() {}

    /** No hot pages, the default rules, or small numbers. */
    static AdaptiveTwinRules twins(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> AdaptiveTwinRules.OFF;
            case 1 -> AdaptiveTwinRules.DEFAULT;
            default ->
                    new AdaptiveTwinRules(
                            1 + random.nextInt(3), 1 + random.nextInt(TWINS_KEPT_MAX));
        };
    }

    /**
     * Drawn from a generator of its own: off, or begun by the first or second fault. Late
     * prefetches are repeated or not; the protocols of the first stream repeat none.
     */
    static ReadAheadRules readAhead(long seed, boolean isOfFirstStream) {
        Random random = new Random(SeededRun.spread(~seed));
        ReadAheadRules rules =
                random.nextInt(3) == 0
                        ? ReadAheadRules.OFF
                        : new ReadAheadRules(
                                1 << random.nextInt(READ_AHEAD_BITS_MAX), 1 + random.nextInt(2));
        return rules.withRepeatsLate(!isOfFirstStream && random.nextBoolean());
    }

    /** Drawn from a generator of its own. */
    static boolean steadyAccess(long seed) {
        return new Random(SeededRun.spread(SeededRun.spread(~seed))).nextBoolean();
    }

    /**
     * Drawn from a generator of its own: the usual bound, or from less than a write notice to many
     * of them. The protocols of the first stream keep no lazy data.
     */
    static long lazyBytes(long seed, boolean isOfFirstStream) {
        Random random = new Random(SeededRun.spread(~SeededRun.spread(SeededRun.spread(~seed))));
        return isOfFirstStream || random.nextInt(3) == 0
                ? UpdateRules.LAZY_BYTES_USUAL
                : 1L << random.nextInt(LAZY_BYTES_BITS_MAX);
    }

    /** Drawn from a generator of its own: any variant, and often low thresholds. */
    static WeakRules weak(long seed) {
        Random random = new Random(SeededRun.spread(SeededRun.spread(~SeededRun.spread(~seed))));
        WeakRules usual = WeakRules.DEFAULT;
        boolean isImmediate = random.nextInt(3) == 0;
        return new WeakRules(
                isImmediate ? WeakRules.Transition.IMMEDIATE : WeakRules.Transition.DELAYED,
                random.nextInt(3) == 0 ? WeakRules.Lists.CENTRALIZED : WeakRules.Lists.DISTRIBUTED,
                isImmediate || random.nextBoolean()
                        ? WeakRules.Notices.TRANSITION
                        : WeakRules.Notices.PUBLISH,
                random.nextInt(4) == 0 ? usual.unsafeAfter() : random.nextInt(3),
                random.nextInt(4) == 0 ? usual.safeAfter() : 1 + random.nextInt(3));
    }

    /** Drawn from a generator of its own: two hosts, any number, or one for each node. */
    static int hosts(long seed, int nodes) {
        Random random = new Random(SeededRun.spread(~SeededRun.spread(~SeededRun.spread(seed))));
        return switch (random.nextInt(3)) {
            case 0 -> Math.min(2, nodes);
            case 1 -> nodes;
            default -> Math.min(nodes, 2 + random.nextInt(Math.max(1, nodes - 1)));
        };
    }

    /** Each is the usual one or, more often, so small that programs of a few pages reach it. */
    static MessageLimits limits(Random random) {
        MessageLimits usual = MessageLimits.USUAL;
        return new MessageLimits(
                small(random, 1 << random.nextInt(PAGES_BITS_MAX), usual.pages()),
                small(random, 1 << random.nextInt(DIFF_BYTES_BITS_MAX), usual.diffBytes()),
                small(
                        random,
                        (1 + random.nextInt(IMAGES_MAX)) * RegionSpec.MACHINE_PAGE_BYTES,
                        usual.imageBytes()),
                small(random, 1 << random.nextInt(DIFF_BYTES_BITS_MAX), usual.windowBytes()));
    }

    private static int small(Random random, int limit, int usual) {
        return random.nextInt(4) == 0 ? usual : limit;
    }

    /** No update timeout, the default one, or a short one; with update lists or without. */
    static UpdateRules updates(Random random) {
        long timeoutNanos =
                switch (random.nextInt(8)) {
                    case 0 -> UpdateRules.NEVER;
                    case 1 -> UpdateRules.DEFAULT.timeoutNanos();
                    default -> random.nextInt(2 << random.nextInt(WINDOW_BITS_MAX));
                };
        int packetBytes =
                random.nextBoolean()
                        ? UpdateRules.ALL_DIRECT
                        : random.nextInt(1 + random.nextInt(PACKET_BYTES_MAX));
        return new UpdateRules(timeoutNanos, packetBytes);
    }
}
