package io.muninn.spi;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.model.BarrierId;
import java.nio.charset.StandardCharsets;

/** Reserved barriers, at which nodes meet before and after the program, and to allocate. */
public final class ReservedBarriers {
    /** One party per node: the root has initialized. */
    public static final BarrierId START = new BarrierId("muninn.start");

    /** All threads: the program has ended on each. */
    public static final BarrierId END = new BarrierId("muninn.end");

    /** One party per node that runs its threads by itself: its program has ended. */
    public static final BarrierId FINISH = new BarrierId("muninn.finish");

    private static final String ALLOCATION = "muninn.allocate ";

    private static final String MORE = "...";

    /** Bytes of a variable's name, and of its shape and home, in the name of a barrier. */
    private static final int WORD_BYTES_MAX = 70;

    private ReservedBarriers() {}

    /**
     * The barrier of an allocation, for all threads, used once. Threads that disagree on the
     * variable arrive at different barriers. Their names differ even if they have no room for the
     * whole description.
     *
     * @param ordinal number of variables allocated before
     * @param type the variable's shape as text
     */
    public static BarrierId allocation(
            int ordinal, String name, String type, Protocol protocol, Home home) {
        String homes = home == Home.BANDED ? "" : ", home " + home;
        String shortName = cut(name, WORD_BYTES_MAX);
        String shortType = cut(type, WORD_BYTES_MAX - homes.length());
        boolean isWhole = shortName.equals(name) && shortType.equals(type);
        int rest = 31 * name.hashCode() + type.hashCode();
        return new BarrierId(
                ALLOCATION
                        + ordinal
                        + (isWhole ? "" : "/" + rest)
                        + " '"
                        + shortName
                        + "', "
                        + shortType
                        + " "
                        + protocol
                        + homes);
    }

    /** Shortens a word to a number of bytes. */
    private static String cut(String word, int bytesMax) {
        if (bytes(word) <= bytesMax) {
            return word;
        }
        int end = Math.min(word.length(), bytesMax);
        while (bytes(word.substring(0, end)) > bytesMax - MORE.length()) {
            end = word.offsetByCodePoints(end, -1);
        }
        return word.substring(0, end) + MORE;
    }

    private static int bytes(String word) {
        return word.getBytes(StandardCharsets.UTF_8).length;
    }

    /** True for every barrier of this class. */
    public static boolean isReserved(BarrierId barrier) {
        return barrier.equals(START)
                || barrier.equals(END)
                || barrier.equals(FINISH)
                || isAllocation(barrier);
    }

    /** True for a barrier of an allocation, which is not used again after it has completed. */
    public static boolean isAllocation(BarrierId barrier) {
        return barrier.name().startsWith(ALLOCATION);
    }

    /** The barrier as text for messages: its name, or the allocated variable. */
    public static String describe(BarrierId barrier) {
        return describe(barrier.name());
    }

    /** The barrier of this name as text. */
    public static String describe(String barrier) {
        return barrier.startsWith(ALLOCATION)
                ? "allocation of variable " + allocated(barrier)
                : "barrier '" + barrier + "'";
    }

    /** Name, shape and protocol of the variable, and its home if that is not the default. */
    public static String allocated(BarrierId allocation) {
        return allocated(allocation.name());
    }

    private static String allocated(String allocation) {
        return allocation.substring(allocation.indexOf('\''));
    }
}
