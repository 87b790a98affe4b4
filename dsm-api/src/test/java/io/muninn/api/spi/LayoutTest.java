package io.muninn.api.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final ViewSpec WORD = new ViewSpec("long[1]", 8, 8);
    private static final ViewSpec ROW = new ViewSpec("int[2000]", 8000, 4);

    private static Layout layout() {
        return Layout.EMPTY
                .append("a", WORD, Protocol.CONVENTIONAL)
                .append("b", ROW, Protocol.WRITE_SHARED)
                .append("c", WORD, Protocol.MIGRATORY);
    }

    @Test
    void append_placesTheNextRegionBehindTheLast() {
        Layout layout = layout();

        RegionSpec b = layout.regions().get(1);
        RegionSpec c = layout.regions().get(2);
        assertEquals(4096, b.offset());
        assertEquals(8192, b.bytes());
        assertEquals(2, b.pages());
        assertEquals(4, b.granuleBytes());
        assertEquals(List.of(new VariableSpec("b", "int[2000]", 0, 8000)), b.variables());
        assertEquals(12288, c.offset());
        assertEquals(16384, layout.bytes());
    }

    @Test
    void appendOfATakenName_isRefused() {
        assertEquals(
                "two regions are named b",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> layout().append("b", WORD, Protocol.MIGRATORY))
                        .getMessage());
    }

    @Test
    void appendBeyondTheLimit_namesVariableAndBytes() {
        ViewSpec huge = new ViewSpec("huge", 1L << 62, 8);

        String text =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> layout().append("all", huge, Protocol.MIGRATORY))
                        .getMessage();

        assertEquals(
                "variable all of 4611686018427387904 bytes does not fit: all variables together are"
                        + " limited to 70368744177664 bytes and 16384 are taken",
                text);
    }

    @Test
    void text_roundTrips() {
        Layout strange =
                layout().append("weiß 100%\n\ud83d\udc26", WORD, Protocol.READ_ONLY)
                        .append(
                                "packed/x",
                                new ViewSpec("struct{a b:int@0;}[1]", 4, 4),
                                Protocol.MIGRATORY);

        assertEquals(strange, Layout.parse(strange.toText()));
        assertTrue(strange.toText().chars().allMatch(c -> c < 0x7f));
        assertEquals(Layout.EMPTY, Layout.parse(Layout.EMPTY.toText()));
    }

    @Test
    void hash_changesWithEveryTrait() {
        Layout layout = layout();

        assertEquals(layout.hash(), layout().hash());
        assertNotEquals(layout.hash(), layout.withProtocol(Protocol.MIGRATORY).hash());
        assertNotEquals(layout.hash(), Layout.EMPTY.hash());
        assertNotEquals(layout.hash(), layout.append("d", WORD, Protocol.MIGRATORY).hash());
    }

    @Test
    void malformedText_isRefusedWithItsLine() {
        assertRefused("", "layout line 1: ");
        assertRefused("muninn-layout 2\n", "layout line 1: ");
        String head = "muninn-layout 1\n";
        assertRefused(head + "nonsense", "layout line 2: expected region and 6 to 7 more words");
        assertRefused(head + "region a 1 0 4096 8", "layout line 2: ");
        assertRefused(head + "region a 10 0 4096 8 1", "layout line 2: no protocol has code 10");
        assertRefused(head + "region a 1 0 x 8 1", "layout line 2: For input string");
        assertRefused(head + "region a% 1 0 4096 8 1", "layout line 2: 'a%' ends within");
        assertRefused(head + "region a 1 0 4095 8 1", "layout line 2: region a: offset 0");
        assertRefused(
                head + "region a 1 0 4096 8 1\nvariable v t 4096 8",
                "layout line 2: region a of 4096 bytes cannot hold");
        assertRefused(
                head + "region a 1 0 4096 8 1\nregion b 1 0 4096 8 1", "region RegionSpec[index=1");
        assertRefused(
                head + "region a 1 9223372036854771712 4096 8 1",
                "region a of 4096 bytes at offset");
    }

    private static void assertRefused(String text, String because) {
        String message =
                assertThrows(IllegalArgumentException.class, () -> Layout.parse(text)).getMessage();
        assertTrue(message.startsWith(because), message);
    }

    @Test
    void withProtocol_overridesEveryRegion() {
        Layout overridden = layout().withProtocol(Protocol.CONVENTIONAL);

        assertTrue(
                overridden.regions().stream()
                        .allMatch(region -> region.protocol() == Protocol.CONVENTIONAL));
        assertEquals(layout().bytes(), overridden.bytes());
    }

    @Test
    void withByteGranules_changesNothingElse() {
        Layout compared = layout().withByteGranules();

        assertTrue(compared.regions().stream().allMatch(region -> region.granuleBytes() == 1));
        assertEquals(layout().bytes(), compared.bytes());
        assertEquals(
                layout().regions().stream().map(RegionSpec::protocol).toList(),
                compared.regions().stream().map(RegionSpec::protocol).toList());
    }

    @Test
    void withUnitPages_makesSmallerPagesLarger() {
        Layout larger = layout().withUnitPages(2);

        assertTrue(larger.regions().stream().allMatch(region -> region.unitPages() >= 2));
        assertTrue(larger.regions().stream().allMatch(region -> region.offset() % 8192 == 0));
        assertEquals(larger, larger.withUnitPages(2));
        assertEquals(layout(), layout().withUnitPages(1));
    }

    @Test
    void packed_leavesNoGapBetweenVariablesOfOneProtocol() {
        Layout packed = layout().withProtocol(Protocol.LAZY).packed();

        RegionSpec region = packed.regions().getFirst();
        assertEquals(1, packed.regions().size());
        assertEquals(
                List.of("a", "b", "c"),
                region.variables().stream().map(VariableSpec::name).toList());
        long end = 0;
        for (VariableSpec variable : region.variables()) {
            assertEquals(Layout.alignUp(end, Long.BYTES), variable.offset());
            end = variable.offset() + variable.bytes();
        }
        assertEquals(Layout.alignUp(end, RegionSpec.MACHINE_PAGE_BYTES), region.bytes());
        assertEquals(3, layout().packed().regions().size()); // of three protocols
    }

    @Test
    void firstDifference_namesTheVariable() {
        Layout ours = layout();
        Layout shorter = Layout.EMPTY.append("a", WORD, Protocol.CONVENTIONAL);
        Layout without =
                Layout.EMPTY
                        .append("a", WORD, Protocol.CONVENTIONAL)
                        .append("c", WORD, Protocol.MIGRATORY);
        Layout reshaped =
                Layout.EMPTY
                        .append("a", WORD, Protocol.CONVENTIONAL)
                        .append("b", WORD, Protocol.WRITE_SHARED);
        Layout reprotocolled =
                Layout.EMPTY
                        .append("a", WORD, Protocol.CONVENTIONAL)
                        .append("b", ROW, Protocol.MIGRATORY);

        assertDifference(ours, shorter, "variable b is missing there");
        assertDifference(shorter, ours, "variable b is missing here");
        assertDifference(ours, without, "variable b is missing there");
        assertDifference(without, ours, "variable b is missing here");
        assertDifference(
                ours,
                reshaped,
                "variable b is int[2000] at offset 0 here, b is long[1] at offset 0 there");
        assertDifference(
                ours,
                reprotocolled,
                "variable b is WRITE_SHARED of 8192 bytes at offset 4096, granule 4, unit 1 pages,"
                        + " home BANDED here, b is MIGRATORY of 8192 bytes at offset 4096, granule"
                        + " 4, unit 1 pages, home BANDED there");
        assertDifference(
                homes(Home.ROOT),
                homes(Home.CYCLIC),
                "variable h is CONVENTIONAL of 4096 bytes at offset 0, granule 8, unit 1 pages,"
                        + " home ROOT here, h is CONVENTIONAL of 4096 bytes at offset 0, granule 8,"
                        + " unit 1 pages, home CYCLIC there");
        assertTrue(ours.firstDifference(layout()).isEmpty());
    }

    @Test
    void firstDifferenceWithinAPack_namesTheVariableOfThePack() {
        Layout two =
                pack(new VariableSpec("x", "int[1]", 0, 4), new VariableSpec("y", "int[1]", 8, 4));
        Layout one = pack(new VariableSpec("x", "int[1]", 0, 4));

        assertDifference(two, one, "variable y is missing there");
        assertDifference(one, two, "variable y is missing here");
    }

    private static Layout pack(VariableSpec... variables) {
        return Layout.EMPTY.append(
                "pack", Protocol.MIGRATORY, 4, 1, Home.BANDED, List.of(variables));
    }

    private static Layout homes(Home home) {
        GrowingLayout growing = new GrowingLayout(Layout.EMPTY);
        growing.add(growing.next("h", WORD, Protocol.CONVENTIONAL, home));
        return growing.layout();
    }

    @Test
    void home_isInTheTextOnlyWhereItIsNotTheDefault() {
        assertEquals(
                "muninn-layout 1\nregion h 1 0 4096 8 1\nvariable h long[1] 0 8\n",
                homes(Home.BANDED).toText());
        assertEquals(
                "muninn-layout 1\nregion h 1 0 4096 8 1 1\nvariable h long[1] 0 8\n",
                homes(Home.CYCLIC).toText());
        for (Home home : Home.values()) {
            assertEquals(homes(home), Layout.parse(homes(home).toText()));
            RegionSpec region = homes(home).regions().getFirst();
            assertEquals(region, RegionSpec.parse(0, region.toText()));
        }
        assertNotEquals(homes(Home.ROOT).hash(), homes(Home.CYCLIC).hash());
        assertRefused(
                "muninn-layout 1\nregion a 1 0 4096 8 1 4", "layout line 2: no home has code 4");
        assertRefused(
                "muninn-layout 1\nregion a 1 0 4096 8 1 1 1",
                "layout line 2: expected region and 6 to 7 more words");
    }

    @Test
    void overrides_keepTheHome() {
        Layout cyclic = homes(Home.CYCLIC);

        for (Layout other :
                List.of(
                        cyclic.withProtocol(Protocol.WRITE_SHARED),
                        cyclic.withByteGranules(),
                        cyclic.withUnitPages(4))) {
            assertEquals(Home.CYCLIC, other.regions().getFirst().home());
        }
    }

    private static RegionSpec pages(int pages, Home home) {
        long bytes = (long) pages * RegionSpec.MACHINE_PAGE_BYTES;
        return new RegionSpec(0, "p", Protocol.WRITE_SHARED, 0, bytes, 8, 1, home, List.of());
    }

    /** The homes of all pages, a digit each. */
    private static String homesOf(int pages, int nodes, Home home) {
        StringBuilder all = new StringBuilder();
        for (int page = 0; page < pages; page++) {
            all.append(pages(pages, home).homeOf(page, nodes));
        }
        return all.toString();
    }

    @Test
    void homeOf_followsThePolicy() {
        assertEquals("0001122", homesOf(7, 3, Home.BANDED));
        assertEquals("00123", homesOf(5, 4, Home.BANDED));
        assertEquals("02", homesOf(2, 4, Home.BANDED));
        assertEquals("0120120", homesOf(7, 3, Home.CYCLIC));
        assertEquals("000", homesOf(3, 2, Home.ROOT));
        assertEquals("000", homesOf(3, 2, Home.FIRST_TOUCH));
        assertEquals(NodeId.of(63), pages(1 << 26, Home.BANDED).homeOf((1 << 26) - 1, 64));
        assertThrows(IndexOutOfBoundsException.class, () -> pages(3, Home.BANDED).homeOf(3, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> pages(3, Home.CYCLIC).homeOf(-1, 2));
    }

    private static void assertDifference(Layout here, Layout there, String text) {
        assertEquals(text, here.firstDifference(there).orElseThrow());
    }

    @Test
    void regionsOutOfOrderOrOverlapping_areRefused() {
        RegionSpec a = layout().regions().get(0);
        RegionSpec b = layout().regions().get(1);
        RegionSpec overlapping =
                new RegionSpec(1, "x", Protocol.MIGRATORY, 0, 4096, 8, 1, List.of());

        assertThrows(IllegalArgumentException.class, () -> new Layout(List.of(b, a)));
        assertThrows(IllegalArgumentException.class, () -> new Layout(List.of(a, overlapping)));
    }
}
