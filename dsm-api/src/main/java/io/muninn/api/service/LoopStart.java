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
import java.util.List;

/**
 * What all threads need to run a loop. It rides on the departure from the barrier at which they
 * wait for it, alone or with other loops that they run one after the other.
 *
 * @param start counts the loops of the run, from 1
 * @param loop its number, or {@link #END}, {@link #MORE} or {@link #ALLOCATE}
 * @param fingerprint of the loops that the root declares
 * @param form how threads run it
 * @param parameters encoded
 * @param before of the second round of a scan: for each part but the first the sum before it, as a
 *     {@link LoopShare}; otherwise empty
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
        /** Each its share. */
        SHARES,
        /** The same, and store the sums of a scan. */
        SECOND_ROUND,
        /** Each its rows, column by column behind the thread above. */
        WAVEFRONT
    }

    /** There are no more loops. */
    static final int END = -1;

    /** The share that a thread has contributed in part goes on. */
    static final int MORE = -2;

    /** All threads allocate a variable; the parameters are a {@link TeamAllocation}. */
    static final int ALLOCATE = -3;

    /** Of a start that is no second round. */
    static final byte[] NOTHING = {};

    private static final Combination COMBINATION = Combination.ofApplication("start of a loop");
    private static final int HEADER_BYTES = 2 * Long.BYTES + 6 * Integer.BYTES;
    private static final int RANGE_BYTES = 2 * Integer.BYTES;

    /**
     * What starts no loop.
     *
     * @param number {@link #END}, {@link #MORE} or {@link #ALLOCATE}
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
     * As a contribution: for each, u32 length and bytes.
     *
     * @param inOrder in which each thread runs them
     */
    static byte[] toContribution(List<LoopStart> inOrder) {
        List<byte[]> all = inOrder.stream().map(LoopStart::encode).toList();
        int bytes = all.stream().mapToInt(each -> Integer.BYTES + each.length).sum();
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        all.forEach(each -> out.putInt(each.length).put(each));
        return new Contribution(COMBINATION, out.array()).encode();
    }

    private byte[] encode() {
        ByteBuffer out =
                ByteBuffer.allocate(
                                HEADER_BYTES
                                        + domain.rank() * RANGE_BYTES
                                        + parameters.length
                                        + before.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(start)
                        .putLong(fingerprint)
                        .putInt(loop)
                        .putInt(form.ordinal())
                        .putInt(schedule.kind().ordinal())
                        .putInt(schedule.chunk())
                        .putInt(domain.rank());
        domain.ranges().forEach(range -> out.putInt(range.from()).putInt(range.to()));
        out.putInt(parameters.length).put(parameters).put(before);
        return out.array();
    }

    /** Reads them from the result of the barrier. */
    static List<LoopStart> of(byte[] result) {
        byte[] all = Round.values(result).getFirst();
        ByteBuffer in = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        List<LoopStart> starts = new ArrayList<>();
        while (in.hasRemaining()) {
            byte[] next = new byte[in.getInt()];
            in.get(next);
            starts.add(decode(ByteBuffer.wrap(next).order(ByteOrder.LITTLE_ENDIAN)));
        }
        return starts;
    }

    private static LoopStart decode(ByteBuffer in) {
        long start = in.getLong();
        long fingerprint = in.getLong();
        int loop = in.getInt();
        Form form = Form.values()[in.getInt()];
        Schedule schedule = new Schedule(Schedule.Kind.values()[in.getInt()], in.getInt());
        List<Band> ranges = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            ranges.add(new Band(in.getInt(), in.getInt()));
        }
        byte[] parameters = new byte[in.getInt()];
        in.get(parameters);
        byte[] before = new byte[in.remaining()];
        in.get(before);
        return new LoopStart(
                start, loop, fingerprint, form, new Domain(ranges), schedule, parameters, before);
    }
}
