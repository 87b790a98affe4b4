package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A batch of pages without content, with their images: filled, installed in one call, and cleared.
 *
 * <p><b>Shape.</b> Up to {@link #PAGES_MAX} pages of one size, anywhere in the regions. The
 * arguments for C are gathered on the heap and copied once, because the compiler then needs little
 * time for the gathering loop.
 *
 * <p><b>Threads.</b> The agent thread only.
 */
public final class PageImages {
    public static final int PAGES_MAX = 256;

    private static final int WORDS = 2; // per page: its offset, and the address of its image

    private final FaultEngine engine;
    private final long[] words = new long[WORDS * PAGES_MAX];
    private final MemorySegment table =
            Arena.ofAuto().allocate((long) words.length * Long.BYTES, Long.BYTES);
    private int count;

    public PageImages(FaultEngine engine) {
        this.engine = engine;
    }

    public void clear() {
        count = 0;
    }

    /** Number of pages in the batch. */
    public int count() {
        return count;
    }

    public boolean isFull() {
        return count == PAGES_MAX;
    }

    /**
     * Adds a page.
     *
     * @param image a native segment of the page's size, valid until it is installed; or an empty
     *     one for zeros
     * @throws IllegalStateException if the batch is full
     */
    public void add(long offset, MemorySegment image) {
        if (isFull()) {
            throw new IllegalStateException("there are " + PAGES_MAX + " images at most");
        }
        words[WORDS * count] = offset;
        words[WORDS * count + 1] = image.byteSize() == 0 ? 0 : NativeMemory.address(image);
        count++;
    }

    /**
     * Installs the images and sets a process's access to the pages. Wakes no thread. A thread sees
     * the whole image or faults.
     *
     * @param of the process; others get no access
     * @param bytes size of each page
     * @throws NativeCallException also as for {@link FaultEngine#allow}, and if the machine is out
     *     of memory (ENOMEM, ENOSPC)
     * @throws MappingLimitException as for {@link FaultEngine#allow}
     */
    public void install(MappingId of, int bytes, PageAccess access) {
        MemorySegment.copy(words, 0, table, JAVA_LONG, 0, WORDS * count);
        engine.changed(
                "dsm_install_images",
                FaultLibrary.dsm_install_images(
                        engine.open(), of.index(), table.address(), count, bytes, code(access)));
    }

    private static int code(PageAccess access) {
        return switch (access) {
            case NONE -> 0;
            case READ -> 1;
            case READ_WRITE -> 2;
        };
    }
}
