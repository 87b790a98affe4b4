package io.muninn.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ratios, limits and tables of links, from given times. */
class LinkRowTest {
    private static final double EXACT = 1e-9;

    /** The machine is twice as slow in the second of three rounds. */
    private static final LinkRow FAULT =
            between(
                    "fault-read-remote",
                    List.of(100e3, 200e3, 100e3),
                    List.of(102e3, 206e3, 101e3),
                    List.of(122.4e3, 267.8e3, 131.3e3));

    private static final LinkRow PROGRAM =
            between(
                    "diff",
                    List.of(1e9, 1e9, 1e9, 1e9),
                    List.of(1.06e9, 1.07e9, 1.04e9, 1.08e9),
                    List.of(1.06e9, 1.07e9, 1.04e9, 1.08e9));

    private static final LinkRow ON_ONE_HOST =
            new LinkRow(
                    "barrier-2",
                    LinkRow.Place.ONE_HOST,
                    Map.of(LinkWay.BARE, List.of(40e3), LinkWay.CHECKSUMS, List.of(40.8e3)));

    @TempDir private Path folder;

    private static LinkRow between(
            String name, List<Double> bare, List<Double> checksums, List<Double> tls) {
        return new LinkRow(
                name,
                LinkRow.Place.HOSTS,
                Map.of(LinkWay.BARE, bare, LinkWay.CHECKSUMS, checksums, LinkWay.TLS, tls));
    }

    @Test
    void timesOfOneRound_areComparedWithEachOther() {
        assertEquals(100e3, FAULT.medianNanos(LinkWay.BARE).orElseThrow());
        LinkRow.Ratio tls = FAULT.added(LinkWay.TLS).orElseThrow();
        assertEquals(1.3, tls.median(), EXACT); // of 1.2, 1.3 and 1.3, not of the medians
        assertEquals(1.2, tls.low(), EXACT);
        assertEquals(1.3, tls.high(), EXACT);
        assertEquals(1.02, FAULT.added(LinkWay.CHECKSUMS).orElseThrow().median(), EXACT);
        assertEquals(Optional.empty(), FAULT.added(LinkWay.BARE));
    }

    @Test
    void rangeOfManyRounds_leavesOutAQuarterAtEachEnd() {
        LinkRow.Ratio ratio = PROGRAM.added(LinkWay.CHECKSUMS).orElseThrow();

        assertEquals(1.065, ratio.median(), EXACT);
        assertEquals(1.06, ratio.low(), EXACT);
        assertEquals(1.07, ratio.high(), EXACT);
    }

    @Test
    void limits_areOfProgramsOfOneHostAndOfTls() {
        assertEquals("not met", FAULT.verdict(LinkWay.TLS));
        assertEquals("", FAULT.verdict(LinkWay.CHECKSUMS));
        assertEquals("not met", PROGRAM.verdict(LinkWay.CHECKSUMS));
        assertEquals("met", PROGRAM.verdict(LinkWay.TLS));
        assertEquals(OptionalDouble.of(1.03), ON_ONE_HOST.limit(LinkWay.CHECKSUMS));
        assertEquals("met", ON_ONE_HOST.verdict(LinkWay.CHECKSUMS));
        assertEquals("", ON_ONE_HOST.verdict(LinkWay.TLS));
    }

    @Test
    void rowsOfJson_haveTheWayBeforeAsFloor() {
        List<Row> rows = FAULT.rows();

        assertEquals(
                List.of(
                        "link-fault-read-remote-bare",
                        "link-fault-read-remote-checksums",
                        "link-fault-read-remote-tls"),
                rows.stream().map(Row::name).toList());
        assertEquals("link-fault-read-remote-checksums", rows.getLast().floor());
        assertEquals(131.3 / 102, rows.getLast().ratio().orElseThrow(), EXACT);
        assertEquals(OptionalDouble.of(1.25), rows.getLast().bound());
        assertEquals("link-one-host-barrier-2-bare", ON_ONE_HOST.rows().getFirst().name());
    }

    @Test
    void page_hasATableForEachPlace() throws IOException {
        Results results = new Results(new MeasuredMachine("p", 2, "s", "j", "c"), false);
        new LinkPage(results).write(folder);
        assertFalse(Files.exists(folder.resolve(LinkPage.FILE)), "nothing was measured");
        results.add(FAULT);
        results.add(PROGRAM);
        results.add(ON_ONE_HOST);

        new LinkPage(results).write(folder);

        String page = Files.readString(folder.resolve(LinkPage.FILE));
        assertTrue(
                page.contains(
                        "| fault-read-remote | 3 | 100 | 102 | 131"
                                + " | 1.02 (1.01 to 1.03) |  |  | 1.30 (1.20 to 1.30) | 1.25"
                                + " | not met |"),
                page);
        assertTrue(page.contains("| diff | 4 | 1000 | 1065 | 1065 | 1.07 (1.06 to 1.07)"), page);
        assertTrue(
                page.contains("| barrier-2 | 1 | 40.0 | 40.8 | 1.02 (1.02 to 1.02) | 1.03 | met |"),
                page);
    }
}
