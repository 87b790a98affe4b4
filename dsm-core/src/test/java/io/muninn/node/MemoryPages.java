package io.muninn.node;

import io.muninn.diff.Diff;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.node.port.Pages;
import io.muninn.wire.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A node's pages as arrays of longs, in the test's own heap. It is stricter than a machine: what no
 * protocol may rely on (a twin of a page that threads can store to, an image over content that is
 * still there, a diff that is never freed) is an error here.
 */
final class MemoryPages implements Pages {
    static final int WORDS = 512;

    /** Content, access and twin of one page. */
    private static final class Frame {
        long[] content = new long[0]; // empty while the page has no content
        PageAccess access = PageAccess.NONE;
        long[] twin = new long[0]; // empty while there is none
        boolean poisoned;

        boolean isPresent() {
            return content.length > 0;
        }

        boolean hasTwin() {
            return twin.length > 0;
        }
    }

    private record DiffName(PageId page, long number) implements Comparable<DiffName> {
        @Override
        public int compareTo(DiffName other) {
            int byPage = page.compareTo(other.page);
            return byPage != 0 ? byPage : Long.compare(number, other.number);
        }
    }

    private final Map<PageId, Frame> frames = new TreeMap<>();
    private final Map<DiffName, byte[]> saved = new TreeMap<>();
    private final Map<DiffName, byte[]> kept = new TreeMap<>();
    private final BiConsumer<PageId, Integer> withdrawals;
    private final BiConsumer<PageId, Boolean> wakeUps;

    /**
     * @param withdrawals hears of a withdrawal that begins
     * @param wakeUps hears of pages whose waiting threads run on; true: to fail
     */
    MemoryPages(BiConsumer<PageId, Integer> withdrawals, BiConsumer<PageId, Boolean> wakeUps) {
        this.withdrawals = withdrawals;
        this.wakeUps = wakeUps;
    }

    PageAccess access(PageId page) {
        return frame(page).access;
    }

    boolean isPresent(PageId page) {
        return frame(page).isPresent();
    }

    boolean hasTwin(PageId page) {
        return frame(page).hasTwin();
    }

    /** False if there is a twin, and a local thread has stored since it was made. */
    boolean equalsTwin(PageId page) {
        Frame frame = frame(page);
        return !frame.hasTwin() || Arrays.equals(frame.content, frame.twin);
    }

    boolean isPoisoned(PageId page) {
        return frame(page).poisoned;
    }

    long load(PageId page, int word) {
        return frame(page).content[word];
    }

    void store(PageId page, int word, long value) {
        frame(page).content[word] = value;
    }

    /** Diffs that nobody has freed. */
    int diffsLeft() {
        return saved.size() + kept.size();
    }

    @Override
    public void setAccess(PageId page, PageAccess access) {
        Frame frame = frame(page);
        if (frame.isPresent()) {
            frame.access = access;
        }
    }

    @Override
    public void withdraw(PageId first, int count) {
        withdrawals.accept(first, count);
    }

    @Override
    public void install(PageId page, Payload image, PageAccess access) {
        Frame frame = frame(page);
        check(!frame.isPresent(), page, "image over content");
        MemorySegment bytes = bytes(image);
        frame.content =
                bytes.byteSize() == 0
                        ? new long[WORDS]
                        : bytes.toArray(ValueLayout.JAVA_LONG_UNALIGNED);
        frame.access = access;
    }

    @Override
    public void discard(PageId page) {
        Frame frame = frame(page);
        check(!frame.hasTwin(), page, "a page with a twin is discarded");
        check(!frame.poisoned, page, "a poisoned page is discarded");
        frame.content = new long[0];
        frame.access = PageAccess.NONE;
    }

    @Override
    public void poison(PageId page) {
        Frame frame = frame(page);
        frame.poisoned = true;
        wakeUps.accept(page, true);
    }

    @Override
    public void makeTwin(PageId page) {
        Frame frame = frame(page);
        check(frame.access != PageAccess.READ_WRITE, page, "a twin of a page being stored to");
        check(!frame.hasTwin(), page, "a second twin");
        fill(frame);
        frame.twin = frame.content.clone();
    }

    @Override
    public void dropTwin(PageId page) {
        check(frame(page).hasTwin(), page, "no twin to drop");
        frame(page).twin = new long[0];
    }

    @Override
    public DiffSize saveDiff(PageId page, long interval, boolean keepTwin) {
        Frame frame = frame(page);
        check(frame.hasTwin(), page, "no twin to compare with");
        check(keepTwin == (frame.access == PageAccess.READ_WRITE), page, "diff of " + frame.access);
        Diff diff = Diff.of(memory(frame.content), memory(frame.twin), Long.BYTES);
        byte[] bytes = diff.bytes();
        check(saved.put(new DiffName(page, interval), bytes) == null, page, "diff saved twice");
        if (keepTwin) {
            frame.twin = frame.content.clone();
        }
        return new DiffSize(diff.granules(), bytes.length, keepTwin);
    }

    @Override
    public void dropDiff(PageId page, long interval) {
        check(saved.remove(new DiffName(page, interval)) != null, page, "no diff to drop");
    }

    @Override
    public void keepDiff(PageId page, long keep, Payload diff) {
        byte[] bytes = bytes(diff).toArray(ValueLayout.JAVA_BYTE);
        check(kept.put(new DiffName(page, keep), bytes) == null, page, "diff kept twice");
    }

    @Override
    public int applyDiff(PageId page, Payload diff) {
        Frame frame = frame(page);
        check(frame.isPresent(), page, "a diff for a page without content");
        MemorySegment content = memory(frame.content);
        int overlap =
                frame.hasTwin()
                        ? Diff.apply(bytes(diff), content, memory(frame.twin), Long.BYTES)
                        : Diff.apply(bytes(diff), content, Long.BYTES);
        if (diff instanceof Payload.KeptDiff(PageId keptPage, long keep)) {
            kept.remove(new DiffName(keptPage, keep));
        }
        return overlap;
    }

    @Override
    public OptionalLong localStore(PageId page, int offset, int granuleBytes) {
        Frame frame = frame(page);
        int word = offset / Long.BYTES;
        return frame.hasTwin() && frame.content[word] != frame.twin[word]
                ? OptionalLong.of(frame.content[word])
                : OptionalLong.empty();
    }

    @Override
    public void resume(PageId page, PageAccess access) {
        Frame frame = frame(page);
        check(!frame.poisoned, page, "a poisoned page is resumed");
        fill(frame);
        frame.access = access;
        wakeUps.accept(page, false);
    }

    @Override
    public MemorySegment bytes(Payload payload) {
        return switch (payload) {
            case Payload.PageImage(PageId page) -> image(frame(page).content);
            case Payload.TwinImage(PageId page) -> {
                check(frame(page).hasTwin(), page, "no twin to send");
                yield image(frame(page).twin);
            }
            case Payload.SavedDiff(PageId page, long interval) -> named(saved, page, interval);
            case Payload.KeptDiff(PageId page, long keep) -> named(kept, page, keep);
            case Payload.Received(MemorySegment bytes, _) -> bytes;
            case Payload.None() -> throw new AssertionError("no bytes have no bytes");
        };
    }

    private static MemorySegment named(Map<DiffName, byte[]> diffs, PageId page, long number) {
        byte[] bytes = diffs.get(new DiffName(page, number));
        check(bytes != null, page, "no diff number " + number);
        return MemorySegment.ofArray(bytes);
    }

    /** Zero pages never travel as bytes. */
    private static MemorySegment image(long[] content) {
        for (long word : content) {
            if (word != 0) {
                byte[] bytes = new byte[WORDS * Long.BYTES];
                MemorySegment image = MemorySegment.ofArray(bytes);
                MemorySegment.copy(
                        content, 0, image, ValueLayout.JAVA_LONG_UNALIGNED, 0, content.length);
                return image;
            }
        }
        return MemorySegment.ofArray(new byte[0]);
    }

    private static MemorySegment memory(long[] words) {
        return MemorySegment.ofArray(words);
    }

    private static void fill(Frame frame) {
        if (!frame.isPresent()) {
            frame.content = new long[WORDS];
        }
    }

    private Frame frame(PageId page) {
        return frames.computeIfAbsent(page, _ -> new Frame());
    }

    private static void check(boolean condition, PageId page, String otherwise) {
        if (!condition) {
            throw new AssertionError("page " + page + ": " + otherwise);
        }
    }
}
