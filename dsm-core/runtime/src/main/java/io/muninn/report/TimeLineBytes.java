package io.muninn.report;

import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/** The encoding of a {@link TimeLine} in the bytes of a node's report, mostly as varints. */
final class TimeLineBytes {
    private TimeLineBytes() {}

    static void write(TimeLine line, WireWriter out) {
        out.varint(line.endNanos());
        out.varint(line.slotNanos());
        out.u32(line.lanes().size());
        for (TimeLine.Lane lane : line.lanes()) {
            out.varint(lane.thread() + 1);
            out.varint(lane.endNanos());
            for (int kind = 0; kind < WaitKind.COUNT; kind++) {
                out.varint(lane.nanos()[kind]);
                out.varint(lane.counts()[kind]);
                out.u32(lane.slots().get(kind).length);
                for (long nanos : lane.slots().get(kind)) {
                    out.varint(nanos);
                }
            }
        }
        out.u32(line.names().size());
        line.names().forEach(out::text);
        write(line.longest(), out);
        write(line.synchronizations(), out);
        out.varint(line.completeNanos());
        out.varint(line.dropped());
        out.u32(line.stores().size());
        for (TimeLine.Stores stores : line.stores()) {
            out.varint(stores.region());
            out.varint(stores.page());
            out.varint(stores.line());
            out.varint(stores.times());
        }
        out.varint(line.storesDropped());
    }

    private static void write(List<TimeLine.Kept> waits, WireWriter out) {
        out.u32(waits.size());
        for (TimeLine.Kept wait : waits) {
            out.varint(wait.thread() + 1);
            out.u8(wait.kind().ordinal());
            out.varint(wait.region() + 1);
            out.varint(wait.about());
            out.varint(wait.beginNanos());
            out.varint(wait.nanos());
            out.varint(wait.pageNanos());
            out.varint(wait.otherNanos());
        }
    }

    /**
     * @throws MalformedMessageException if the bytes are no time line
     */
    static TimeLine read(WireReader in) {
        long endNanos = time(in);
        long slotNanos = time(in);
        if (slotNanos == 0) {
            throw new MalformedMessageException("time line: slots of 0 ns");
        }
        List<TimeLine.Lane> lanes = new ArrayList<>();
        for (int left = ReportBytes.count(in); left > 0; left--) {
            lanes.add(lane(in));
        }
        List<String> names = new ArrayList<>();
        for (int left = ReportBytes.count(in); left > 0; left--) {
            names.add(in.text());
        }
        List<TimeLine.Kept> longest = waits(names.size(), in);
        List<TimeLine.Kept> synchronizations = waits(names.size(), in);
        return new TimeLine(
                endNanos,
                slotNanos,
                lanes,
                names,
                longest,
                synchronizations,
                time(in),
                time(in),
                stores(names.size(), in),
                time(in));
    }

    private static List<TimeLine.Stores> stores(int names, WireReader in) {
        List<TimeLine.Stores> all = new ArrayList<>();
        for (int left = ReportBytes.count(in); left > 0; left--) {
            TimeLine.Stores stores =
                    new TimeLine.Stores(number(in), number(in), number(in), time(in));
            if (stores.line() >= names) {
                throw new MalformedMessageException("time line: line " + stores.line());
            }
            all.add(stores);
        }
        return all;
    }

    private static TimeLine.Lane lane(WireReader in) {
        int thread = number(in) - 1;
        long endNanos = time(in);
        long[] nanos = new long[WaitKind.COUNT];
        long[] counts = new long[WaitKind.COUNT];
        List<long[]> slots = new ArrayList<>();
        for (int kind = 0; kind < WaitKind.COUNT; kind++) {
            nanos[kind] = time(in);
            counts[kind] = time(in);
            long[] ofKind = new long[ReportBytes.count(in)];
            for (int slot = 0; slot < ofKind.length; slot++) {
                ofKind[slot] = time(in);
            }
            slots.add(ofKind);
        }
        return new TimeLine.Lane(thread, endNanos, nanos, counts, slots);
    }

    private static List<TimeLine.Kept> waits(int names, WireReader in) {
        List<TimeLine.Kept> waits = new ArrayList<>();
        for (int left = ReportBytes.count(in); left > 0; left--) {
            TimeLine.Kept wait =
                    new TimeLine.Kept(
                            number(in) - 1,
                            kind(in),
                            number(in) - 1,
                            number(in),
                            time(in),
                            time(in),
                            time(in),
                            time(in));
            if (wait.region() < 0 && wait.about() >= names) {
                throw new MalformedMessageException("time line: name " + wait.about());
            }
            waits.add(wait);
        }
        return waits;
    }

    private static WaitKind kind(WireReader in) {
        int code = in.u8();
        if (code >= WaitKind.COUNT) {
            throw new MalformedMessageException("time line: wait of kind " + code);
        }
        return WaitKind.values()[code];
    }

    private static int number(WireReader in) {
        return (int) in.varint(Integer.MAX_VALUE);
    }

    /** At most some 70 years, so that a few of them can be added. */
    private static long time(WireReader in) {
        return in.varint(Long.MAX_VALUE >> 2);
    }
}
