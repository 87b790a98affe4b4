package io.muninn.sim.ncc;

import io.muninn.sim.machine.SetCache;
import java.util.Arrays;
import java.util.Random;

/**
 * The cache of a processor that hardware does not keep coherent, with a policy for stores. A line's
 * state in the cache is the mask of its dirty words.
 *
 * <p>A store that misses brings the line under write-back alone. A line in the merge buffer need
 * not be in the cache.
 */
final class SoftwareCache {
    /** Cycles by which stores may be out of order between processors. */
    private static final int STORE_SLACK = 64;

    private final NccProcessor processor;
    private final Hardware hardware;
    private final Homes homes;
    private final WritePolicy policy;
    private final SetCache cache;
    private final int lineWords;
    private final int pageLines;
    private int[] dirty = new int[64]; // lines that may have dirty words
    private int dirtyCount;
    private final int[] mergeLines;
    private final int[] mergeWords; // masks; 0 for a free entry
    private final Random chance;

    SoftwareCache(
            NccProcessor processor, Hardware hardware, Homes homes, WritePolicy policy, long seed) {
        this.processor = processor;
        this.hardware = hardware;
        this.homes = homes;
        this.policy = policy;
        cache = processor.cache();
        NccModel model = hardware.model();
        lineWords = model.lineWords();
        pageLines = NccModel.PAGE_BYTES / model.lineBytes();
        mergeLines = new int[model.mergeLines()];
        mergeWords = new int[model.mergeLines()];
        chance = new Random(seed);
    }

    private int home(int line) {
        return homes.of(line / pageLines);
    }

    void load(int line) {
        int place = cache.find(line);
        if (place == SetCache.ABSENT) {
            fetch(line);
        } else {
            cache.use(place);
        }
    }

    void store(int line, int words) {
        switch (policy) {
            case WRITE_BACK -> storeBack(line, words);
            case WRITE_THROUGH -> {
                processor.settle(STORE_SLACK);
                processor.awaitRoom();
                write(line, words, true);
            }
            case MERGE_BUFFER -> merge(line, words);
        }
    }

    private void storeBack(int line, int words) {
        int place = cache.find(line);
        if (place == SetCache.ABSENT) {
            fetch(line);
            place = cache.find(line);
        }
        place = cache.use(place);
        int before = cache.state(place);
        if (before == 0) {
            if (dirtyCount == dirty.length) {
                compact();
            }
            dirty[dirtyCount] = line;
            dirtyCount++;
        }
        cache.state(place, (byte) (before | words));
    }

    /** Removes lines from the list that are not dirty any more, or makes room for more. */
    private void compact() {
        int kept = 0;
        Arrays.sort(dirty, 0, dirtyCount);
        for (int i = 0; i < dirtyCount; i++) {
            int line = dirty[i];
            boolean isKnown = kept > 0 && dirty[kept - 1] == line;
            if (!isKnown && words(line) != 0) {
                dirty[kept] = line;
                kept++;
            }
        }
        dirtyCount = kept;
        if (kept > dirty.length / 2) {
            dirty = Arrays.copyOf(dirty, 2 * dirty.length);
        }
    }

    /** The dirty words of a line in the cache. */
    private int words(int line) {
        int place = cache.find(line);
        return place == SetCache.ABSENT ? 0 : cache.state(place) & 0xFF;
    }

    private void fetch(int line) {
        processor.countMiss();
        processor.settle();
        cache.put(line, (byte) 0);
        int victim = cache.victim();
        int left = cache.victimState() & 0xFF;
        if (victim != SetCache.ABSENT && left != 0) {
            write(victim, left, false);
        }
        long arrived = hardware.fetch(processor.id(), home(line), lineWords, processor.now());
        processor.passUntil(arrived, Spent.MISSES);
    }

    private void merge(int line, int words) {
        int free = -1;
        for (int i = 0; i < mergeLines.length; i++) {
            if (mergeWords[i] == 0) {
                free = i;
            } else if (mergeLines[i] == line) {
                mergeWords[i] |= words;
                return;
            }
        }
        if (free < 0) {
            free = chance.nextInt(mergeLines.length);
            processor.settle(STORE_SLACK);
            processor.awaitRoom();
            write(mergeLines[free], mergeWords[free], true);
        }
        mergeLines[free] = line;
        mergeWords[free] = words;
    }

    /** Sends words to memory. */
    private void write(int line, int words, boolean isLimited) {
        int count = Integer.bitCount(words);
        long done = hardware.write(processor.id(), home(line), count, processor.now());
        if (isLimited) {
            processor.underWay(done);
        } else {
            processor.performed(done);
        }
    }

    /** Sends all dirty words to memory; {@link NccProcessor#fence} waits for them. */
    void flush() {
        Arrays.sort(dirty, 0, dirtyCount);
        for (int i = 0; i < dirtyCount; i++) {
            flushLine(dirty[i]);
        }
        dirtyCount = 0;
        for (int i = 0; i < mergeLines.length; i++) {
            flushEntry(i);
        }
    }

    /** Sends a line's dirty words, and waits until the link has taken them. */
    private void flushLine(int line) {
        int place = cache.find(line);
        if (place == SetCache.ABSENT || cache.state(place) == 0) {
            return;
        }
        int words = cache.state(place) & 0xFF;
        cache.state(place, (byte) 0);
        send(line, words);
    }

    private void send(int line, int words) {
        processor.settle();
        processor.pass(1, Spent.COHERENCE);
        write(line, words, false);
        processor.passUntil(hardware.outFree(processor.id()), Spent.COHERENCE);
    }

    private void flushEntry(int entry) {
        if (mergeWords[entry] != 0) {
            int words = mergeWords[entry];
            mergeWords[entry] = 0;
            send(mergeLines[entry], words);
        }
    }

    /**
     * Removes the lines of a page, whose dirty words go to memory.
     *
     * @return the number of lines
     */
    int purge(int page) {
        int first = page * pageLines;
        int purged = 0;
        for (int line = first; line < first + pageLines; line++) {
            int place = cache.find(line);
            if (place != SetCache.ABSENT) {
                int words = cache.state(place) & 0xFF;
                cache.remove(place);
                purged++;
                if (words != 0) {
                    write(line, words, false);
                }
            }
        }
        for (int i = 0; i < mergeLines.length; i++) {
            if (mergeWords[i] != 0 && mergeLines[i] / pageLines == page) {
                int words = mergeWords[i];
                mergeWords[i] = 0;
                write(mergeLines[i], words, false);
            }
        }
        return purged;
    }

    /**
     * Sends the dirty words of a page, whose lines stay.
     *
     * @return the number of lines that were dirty
     */
    int clean(int page) {
        int first = page * pageLines;
        int cleaned = 0;
        for (int line = first; line < first + pageLines; line++) {
            int words = words(line);
            if (words != 0) {
                cache.state(cache.find(line), (byte) 0);
                write(line, words, false);
                cleaned++;
            }
        }
        return cleaned;
    }
}
