package io.muninn.report;

import io.muninn.kernel.PageCount;
import io.muninn.kernel.RegionCounts;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The encoding of a {@link NodeReport}, little-endian as all messages. A page's counts that are
 * zero, which most are, are omitted.
 */
final class ReportBytes {
    private static final int COUNTS = PageCount.values().length;

    private ReportBytes() {}

    static byte[] write(NodeReport report) {
        ByteWriter out = new ByteWriter(_ -> MemorySegment.NULL);
        out.u8(report.node());
        out.text(report.engine().word());
        out.text(report.engine().way());
        out.text(report.engine().why());
        out.i64(report.pids().agent());
        out.u32(report.pids().applications().size());
        report.pids().applications().forEach(out::i64);
        for (NodeCounter counter : NodeCounter.values()) {
            out.i64(report.value(counter));
        }
        TreeMap<String, NodeReport.Traffic> kinds = new TreeMap<>(report.byKind());
        out.u32(kinds.size());
        kinds.forEach((kind, traffic) -> {
            out.text(kind);
            out.i64(traffic.messages());
            out.i64(traffic.bytes());
        });
        out.u32(report.regions().size());
        report.regions().forEach(region -> writeRegion(region, out));
        out.flag(report.timeLine().isPresent());
        report.timeLine().ifPresent(line -> TimeLineBytes.write(line, out));
        return out.toArray();
    }

    /**
     * @throws MalformedMessageException if the bytes are not a report
     */
    static NodeReport read(byte[] bytes) {
        WireReader in = new ByteReader(bytes);
        int node = in.node().index();
        NodeReport.Engine engine = new NodeReport.Engine(in.text(), in.text(), in.text());
        NodeReport.Pids pids = new NodeReport.Pids(in.i64(), pids(in));
        long[] counters = new long[NodeCounter.values().length];
        for (NodeCounter counter : NodeCounter.values()) {
            counters[counter.code()] = in.i64();
        }
        Map<String, NodeReport.Traffic> kinds = new TreeMap<>();
        for (int left = count(in); left > 0; left--) {
            kinds.put(in.text(), new NodeReport.Traffic(in.i64(), in.i64()));
        }
        List<RegionCounts> regions = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            regions.add(readRegion(in));
        }
        Optional<TimeLine> timeLine =
                in.flag() ? Optional.of(TimeLineBytes.read(in)) : Optional.empty();
        if (in.remaining() != 0) {
            throw new MalformedMessageException("report: " + in.remaining() + " bytes too many");
        }
        return new NodeReport(node, engine, pids, counters, kinds, regions, timeLine);
    }

    private static List<Long> pids(WireReader in) {
        List<Long> pids = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            pids.add(in.i64());
        }
        return pids;
    }

    /**
     * Reads a number of elements. Each takes at least a byte, so the number cannot exceed the
     * remaining bytes.
     */
    static int count(WireReader in) {
        int count = in.u32();
        if (count < 0 || count > in.remaining()) {
            throw new MalformedMessageException("report: " + count + " of something");
        }
        return count;
    }

    private static void writeRegion(RegionCounts counts, WireWriter out) {
        out.u32(counts.region());
        writeCounts(counts.totals(), out);
        out.u32(counts.byKind().size());
        counts.byKind()
                .forEach((kind, sent) -> {
                    out.text(kind);
                    out.i64(sent.messages());
                    out.i64(sent.bytes());
                });
        out.u32(counts.pages().size());
        for (RegionCounts.OfPage page : counts.pages()) {
            out.u32(page.page());
            writeCounts(page.counts(), out);
        }
    }

    private static RegionCounts readRegion(WireReader in) {
        int region = in.u32();
        long[] totals = readCounts(in);
        Map<String, RegionCounts.Sent> byKind = new TreeMap<>();
        for (int left = count(in); left > 0; left--) {
            byKind.put(in.text(), new RegionCounts.Sent(in.i64(), in.i64()));
        }
        List<RegionCounts.OfPage> pages = new ArrayList<>();
        for (int left = count(in); left > 0; left--) {
            pages.add(new RegionCounts.OfPage(in.u32(), readCounts(in)));
        }
        return new RegionCounts(region, totals, byKind, pages);
    }

    /** Writes the nonzero counts: their positions as bits of a u32, then their values. */
    private static void writeCounts(long[] counts, WireWriter out) {
        int present = 0;
        for (int i = 0; i < COUNTS; i++) {
            present |= counts[i] == 0 ? 0 : 1 << i;
        }
        out.u32(present);
        for (long count : counts) {
            if (count != 0) {
                out.i64(count);
            }
        }
    }

    private static long[] readCounts(WireReader in) {
        int present = in.u32();
        long[] counts = new long[COUNTS];
        for (int i = 0; i < COUNTS; i++) {
            counts[i] = (present & 1 << i) == 0 ? 0 : in.i64();
        }
        return counts;
    }
}
