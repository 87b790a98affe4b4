package io.muninn.api.service;

import io.muninn.api.Band;
import io.muninn.api.Domain;
import io.muninn.api.Schedule;
import io.muninn.api.reduction.Combination;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The start of a loop. It is sent with the departure from the barrier at which the threads wait for
 * it, alone or with other loops that they run one after the other.
 *
 * @param start counts the loops of the run, from 1
 * @param loop its number, or {@link #END}, {@link #MORE}, {@link #ALLOCATE} or {@link #SEAL}
 * @param fingerprint of the loops that the root declares
 * @param form how threads run it
 * @param parameters encoded
 * @param before for the second round of a scan, the sum before each part but the first, as a {@link
 *     LoopShare}; otherwise empty
 */
record LoopStart(
        long start,
        int loop,
        long fingerprint,
        Form form,
        Domain domain,
        Schedule schedule,
        byte[] parameters,
        byte[] before) {
    /** How threads run a loop. */
    enum Form {
        /** Each thread runs its share. */
        SHARES,
        /** Each thread runs its share, and stores the sums of a scan. */
        SECOND_ROUND,
        /** Each thread runs its rows, column by column behind the thread above. */
        WAVEFRONT
    }

    /** There are no more loops. */
    static final int END = -1;

    /** Threads send the next piece of a share that was contributed in pieces. */
    static final int MORE = -2;

    /** All threads allocate a variable; the parameters are a {@link TeamAllocation}. */
    static final int ALLOCATE = -3;

    /** All threads seal a variable; the parameters are its name. */
    static final int SEAL = -4;

    /** The sums of a start that is no second round. */
    static final byte[] NOTHING = {};

    private static final Combination COMBINATION = Combination.ofApplication("start of a loop");
    private static final int HEADER_BYTES = 2 * Long.BYTES + 3 * Integer.BYTES;
    private static final int RANGE_BYTES = 2 * Integer.BYTES;
    private static final int FORM_BITS = 8;
    private static final int RANK_BITS = 16;
    private static final int BYTE = 0xFF;

    /**
     * A start that runs no loop.
     *
     * @param number {@link #END}, {@link #MORE}, {@link #ALLOCATE} or {@link #SEAL}
     */
    static LoopStart none(int number, byte[] parameters) {
        return new LoopStart(
                0,
                number,
                0,
                Form.SHARES,
                Domain.of(new Band(0, 0)),
                Schedule.BLOCK,
                parameters,
                NOTHING);
    }

    /** Positions of the indices. */
    Band range() {
        return domain.range();
    }

    boolean isSecondRound() {
        return form == Form.SECOND_ROUND;
    }

    /**
     * The starts as a contribution. Of each: start u64, fingerprint u64, loop u32, kind of the
     * schedule u8, form u8, number of ranges i16, chunk u32, the ranges, length of the parameters
     * u32, length of the sums before u32, parameters, sums. For a single start that is no second
     * round, the lengths are left out and the number of ranges is negative: the parameters are the
     * remaining bytes.
     *
     * @param inOrder in the order in which each thread runs them
     */
    static byte[] toContribution(List<LoopStart> inOrder) {
        int bytes = inOrder.stream().mapToInt(LoopStart::bytesMax).sum();
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        inOrder.forEach(each -> each.write(out, inOrder.size() == 1));
        byte[] all = Arrays.copyOf(out.array(), out.position());
        return new Contribution(COMBINATION, all).encode();
    }

    private int bytesMax() {
        return HEADER_BYTES
                + domain.rank() * RANGE_BYTES
                + RANGE_BYTES
                + parameters.length
                + before.length;
    }

    private void write(ByteBuffer out, boolean isAlone) {
        int rank = isAlone && !isSecondRound() ? -domain.rank() : domain.rank();
        out.putLong(start).putLong(fingerprint).putInt(loop);
        out.putInt(schedule.kind().ordinal() | form.ordinal() << FORM_BITS | rank << RANK_BITS);
        out.putInt(schedule.chunk());
        domain.ranges().forEach(range -> out.putInt(range.from()).putInt(range.to()));
        if (rank > 0) {
            out.putInt(parameters.length).putInt(before.length);
        }
        out.put(parameters).put(before);
    }

    /** Reads the starts from the result of the barrier. */
    static List<LoopStart> of(byte[] result) {
        byte[] all = Round.values(result).getFirst();
        ByteBuffer in = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        List<LoopStart> starts = new ArrayList<>();
        while (in.hasRemaining()) {
            starts.add(read(in));
        }
        return starts;
    }

    private static LoopStart read(ByteBuffer in) {
        long start = in.getLong();
        long fingerprint = in.getLong();
        int loop = in.getInt();
        int packed = in.getInt();
        Form form = Form.values()[packed >> FORM_BITS & BYTE];
        int rank = packed >> RANK_BITS;
        Schedule schedule = new Schedule(Schedule.Kind.values()[packed & BYTE], in.getInt());
        List<Band> ranges = new ArrayList<>();
        for (int left = Math.abs(rank); left > 0; left--) {
            ranges.add(new Band(in.getInt(), in.getInt()));
        }
        byte[] parameters = new byte[rank > 0 ? in.getInt() : in.remaining()];
        byte[] before = new byte[rank > 0 ? in.getInt() : 0];
        in.get(parameters);
        in.get(before);
        return new LoopStart(
                start, loop, fingerprint, form, new Domain(ranges), schedule, parameters, before);
    }
}
