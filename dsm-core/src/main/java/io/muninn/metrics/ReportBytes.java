package io.muninn.metrics;

import io.muninn.node.PageCount;
import io.muninn.node.RegionCounts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bytes of a {@link NodeReport}, big-endian: written from the front, or read. Numbers of a page
 * that are zero, and most are, are left out.
 *
 * <p><b>Errors.</b> Reading past the end throws {@link java.nio.BufferUnderflowException}.
 */
final class ReportBytes {
    private static final int FIRST_BYTES = 1024;
    private static final int COUNTS = PageCount.values().length;

    private ByteBuffer buffer;

    /** To write to; grows as it needs. */
    ReportBytes() {
        buffer = ByteBuffer.allocate(FIRST_BYTES);
    }

    /** To read from. */
    ReportBytes(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes);
    }

    byte[] toArray() {
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            ByteBuffer larger = ByteBuffer.allocate(2 * buffer.capacity() + bytes);
            buffer = larger.put(buffer.flip());
        }
        return buffer;
    }

    void putInt(int value) {
        room(Integer.BYTES).putInt(value);
    }

    int getInt() {
        return buffer.getInt();
    }

    void putLong(long value) {
        room(Long.BYTES).putLong(value);
    }

    long getLong() {
        return buffer.getLong();
    }

    void putLongs(long[] values) {
        putInt(values.length);
        for (long value : values) {
            putLong(value);
        }
    }

    long[] getLongs() {
        long[] values = new long[Math.min(getInt(), buffer.remaining() / Long.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = getLong();
        }
        return values;
    }

    void putText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        putInt(utf8.length);
        room(utf8.length).put(utf8);
    }

    String getText() {
        byte[] utf8 = new byte[Math.min(getInt(), buffer.remaining())];
        buffer.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    void putRegion(RegionCounts counts) {
        putInt(counts.region());
        putCounts(counts.totals());
        putInt(counts.byKind().size());
        counts.byKind()
                .forEach((kind, sent) -> {
                    putText(kind);
                    putLong(sent.messages());
                    putLong(sent.bytes());
                });
        putInt(counts.pages().size());
        for (RegionCounts.OfPage page : counts.pages()) {
            putInt(page.page());
            putCounts(page.counts());
        }
    }

    RegionCounts getRegion() {
        int region = getInt();
        long[] totals = getCounts();
        Map<String, RegionCounts.Sent> byKind = new TreeMap<>();
        for (int left = getInt(); left > 0; left--) {
            byKind.put(getText(), new RegionCounts.Sent(getLong(), getLong()));
        }
        List<RegionCounts.OfPage> pages = new ArrayList<>();
        for (int left = getInt(); left > 0; left--) {
            pages.add(new RegionCounts.OfPage(getInt(), getCounts()));
        }
        return new RegionCounts(region, totals, byKind, pages);
    }

    /** Which of them are not zero, as bits of an int, and those. */
    private void putCounts(long[] counts) {
        int present = 0;
        for (int i = 0; i < COUNTS; i++) {
            present |= counts[i] == 0 ? 0 : 1 << i;
        }
        putInt(present);
        for (long count : counts) {
            if (count != 0) {
                putLong(count);
            }
        }
    }

    private long[] getCounts() {
        int present = getInt();
        long[] counts = new long[COUNTS];
        for (int i = 0; i < COUNTS; i++) {
            counts[i] = (present & 1 << i) == 0 ? 0 : getLong();
        }
        return counts;
    }
}
