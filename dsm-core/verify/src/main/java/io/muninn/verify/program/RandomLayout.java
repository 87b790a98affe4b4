package io.muninn.verify.program;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The regions of a random program, and the use of each word. Words of different uses and owners are
 * neighbours on a page, so that pages are falsely shared.
 */
final class RandomLayout {
    private static final int FOCUS_PAGES_MAX = 12;
    private static final int PAGES_MAX = 2;
    private static final int WORDS_PER_PAGE_MIN = 4;
    private static final int WORDS_PER_PAGE_MAX = 12;
    private static final int USE_WEIGHT_MAX = 6;
    private static final List<Home> POLICIES = List.of(Home.BANDED, Home.CYCLIC, Home.ROOT);

    /** Half of the regions have homes by first touch, because a page has only one first touch. */
    private static final int FIRST_TOUCH_FROM = POLICIES.size();

    /** A shared element, with its state during the generation of the program. */
    static final class Word {
        final Variable variable;
        int owner; // position of a thread; NOBODY if the word is only loaded in this phase
        long value; // the last value stored, if only the owner stores
        int stores;

        Word(Variable variable) {
            this.variable = variable;
        }
    }

    static final int NOBODY = -1;

    private final Random random;
    private final List<RegionSpec> regions = new ArrayList<>();
    private final List<List<Word>> guarded = new ArrayList<>();
    private final List<Word> phased = new ArrayList<>();
    private final List<Word> racy = new ArrayList<>();
    private final List<Word> constants = new ArrayList<>();
    private final int scale;
    private final int guardedWeight;
    private final int phasedWeight;
    private final int racyWeight;
    private long nextOffset;

    /**
     * @param protocols all or some of them have regions
     * @param locks number of locks that guard words
     * @param scale the number of pages, in those of a program of few nodes
     */
    RandomLayout(Random random, List<Protocol> protocols, int locks, int scale) {
        this.random = random;
        this.scale = scale;
        guardedWeight = 1 + random.nextInt(USE_WEIGHT_MAX);
        phasedWeight = 1 + random.nextInt(USE_WEIGHT_MAX);
        racyWeight = random.nextInt(3);
        for (int i = 0; i < locks; i++) {
            guarded.add(new ArrayList<>());
        }
        int focus = random.nextInt(2 * protocols.size());
        boolean some = random.nextInt(4) == 0;
        for (int i = 0; i < protocols.size(); i++) {
            Protocol protocol = protocols.get(i);
            if (focus == i || protocols.size() == 1) {
                addFocus(protocol);
            } else if (!some || random.nextBoolean() || isLastChance(i, protocols)) {
                addRegion(protocol, 1 + random.nextInt(PAGES_MAX));
                if (random.nextInt(3) == 0) {
                    addRegion(protocol, 1);
                }
            }
        }
    }

    private boolean isLastChance(int index, List<Protocol> protocols) {
        return index == protocols.size() - 1 && regions.isEmpty();
    }

    private void addFocus(Protocol protocol) {
        int parts = 1 + random.nextInt(3);
        for (int i = 0; i < parts; i++) {
            addRegion(protocol, 1 + random.nextInt(FOCUS_PAGES_MAX / parts));
        }
    }

    private void addRegion(Protocol protocol, int ofFewNodes) {
        int pages = scale * ofFewNodes;
        int granuleBytes = 8 >> random.nextInt(4);
        int unitPages = random.nextInt(8) == 0 ? 2 : 1;
        long pageBytes = (long) unitPages * RegionSpec.MACHINE_PAGE_BYTES;
        nextOffset = (nextOffset + pageBytes - 1) / pageBytes * pageBytes;
        RegionSpec region =
                new RegionSpec(
                        regions.size(),
                        "region" + regions.size(),
                        protocol,
                        nextOffset,
                        pages * pageBytes,
                        granuleBytes,
                        unitPages,
                        home(random, protocol),
                        List.of());
        nextOffset += pages * pageBytes;
        regions.add(region);
        for (int page = 0; page < pages; page++) {
            addWords(region, new PageId(region.index(), page));
        }
    }

    /** Draws nothing for a protocol without homes, so that its seeds keep their programs. */
    static Home home(Random random, Protocol protocol) {
        boolean hasHomes = ProtocolKind.of(protocol).traits().has(Trait.HOMES);
        if (!hasHomes) {
            return Home.BANDED;
        }
        int drawn = random.nextInt(2 * FIRST_TOUCH_FROM);
        return drawn < FIRST_TOUCH_FROM ? POLICIES.get(drawn) : Home.FIRST_TOUCH;
    }

    /** Adds neighbouring words. Some begin at the first byte of the page, some end at its last. */
    private void addWords(RegionSpec region, PageId page) {
        int words =
                WORDS_PER_PAGE_MIN + random.nextInt(WORDS_PER_PAGE_MAX - WORDS_PER_PAGE_MIN + 1);
        int room = region.pageBytes() / Long.BYTES - words;
        int offset =
                switch (random.nextInt(4)) {
                    case 0 -> 0;
                    case 1 -> room * Long.BYTES;
                    default -> random.nextInt(room) * Long.BYTES;
                };
        for (int i = 0; i < words; i++) {
            // the first is not racy, so that every program has a word of another use
            int use = random.nextInt(guardedWeight + phasedWeight + (i == 0 ? 0 : racyWeight));
            boolean isRacy = use >= guardedWeight + phasedWeight && !region.protocol().isSealed();
            int granule = region.granuleBytes();
            // one store writes all bytes of a racy element, so it is no wider than a granule
            int width = isRacy ? granule : granule << random.nextInt(wider(granule));
            offset = (offset + width - 1) / width * width;
            Word word = new Word(new Variable(page, offset, width));
            offset += width;
            if (region.protocol().isSealed()) {
                constants.add(word);
            } else if (isRacy) {
                racy.add(word);
            } else if (use < guardedWeight) {
                guarded.get(random.nextInt(guarded.size())).add(word);
            } else {
                phased.add(word);
            }
        }
    }

    /** The number of widths from this one to 8 bytes. */
    private static int wider(int bytes) {
        return 1 + Integer.numberOfTrailingZeros(Long.BYTES / bytes);
    }

    List<RegionSpec> regions() {
        return regions;
    }

    /** Words that are accessed under a lock only. */
    List<Word> guardedBy(int lock) {
        return guarded.get(lock);
    }

    /** Words that in each phase one thread accesses, or several threads only load. */
    List<Word> phased() {
        return phased;
    }

    /** Words that any thread accesses at any time. */
    List<Word> racy() {
        return racy;
    }

    /** Words to which only the root stores, during its initialization. */
    List<Word> constants() {
        return constants;
    }
}
