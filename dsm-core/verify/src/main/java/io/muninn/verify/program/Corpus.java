package io.muninn.verify.program;

import io.muninn.api.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Small programs, each of which provokes a situation that random programs rarely reach. A seed runs
 * all of them with delays, rules and disruptions of its own. They are the entries of {@code
 * corpus.txt}, whose first lines describe its form.
 */
public final class Corpus {
    private static final String FILE = "corpus.txt";
    private static final String BEGIN = "== ";
    private static final String FEW_PROCESSORS = "threads share processors";
    private static final String LINKS_STAND = "links stand still";

    static final List<Entry> ENTRIES = read();

    /**
     * A program of the corpus.
     *
     * @param draft of the rules only those that the program needs
     */
    record Entry(String name, ProgramText.Draft draft) {
        int nodes() {
            return draft.program().nodes();
        }

        /** True if some region has one of these protocols, or if there is no region. */
        boolean isAbout(List<Protocol> protocols) {
            return draft.program().regions().isEmpty()
                    || draft.program().regions().stream()
                            .anyMatch(region -> protocols.contains(region.protocol()));
        }

        /** True if all regions have some of these protocols. */
        boolean fits(List<Protocol> protocols) {
            return draft.program().regions().stream()
                    .allMatch(region -> protocols.contains(region.protocol()));
        }

        /** True if threads always share processors; otherwise in some runs. */
        boolean sharesProcessors() {
            return draft.marks().contains(FEW_PROCESSORS);
        }

        /** True if links always stand still for long; otherwise in some runs. */
        boolean linksStand() {
            return draft.marks().contains(LINKS_STAND);
        }

        /** The program as it is written, without its rules. */
        Program program() {
            return draft.program();
        }

        /** The program with a protocol for each region, one of those that let threads store. */
        Program program(Random random, List<Protocol> protocols) {
            List<Protocol> stored = protocols.stream().filter(each -> !each.isSealed()).toList();
            List<Protocol> drawn =
                    draft.program().regions().stream()
                            .map(_ -> stored.get(random.nextInt(stored.size())))
                            .toList();
            return draft.program().withProtocols(drawn);
        }

        /** A program with the rules that this one needs. */
        Program ruled(Program program) {
            return draft.rules().apply(program);
        }
    }

    private Corpus() {}

    /** The names of all programs. */
    public static List<String> names() {
        return ENTRIES.stream().map(Entry::name).toList();
    }

    /**
     * @throws IllegalArgumentException if there is no program of that name
     */
    static Entry entry(String name) {
        return ENTRIES.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no program " + name));
    }

    private static List<Entry> read() {
        return parse(lines());
    }

    /**
     * @throws IllegalArgumentException if a line cannot be read; the message has its number and
     *     text
     */
    static List<Entry> parse(List<String> lines) {
        List<Entry> entries = new ArrayList<>();
        int begin = next(lines, 0);
        while (begin < lines.size()) {
            int end = next(lines, begin + 1);
            String name = lines.get(begin).substring(BEGIN.length());
            entries.add(
                    new Entry(
                            name,
                            ProgramText.draft(
                                    lines.subList(begin + 1, end),
                                    begin + 2,
                                    List.of(FEW_PROCESSORS, LINKS_STAND))));
            begin = end;
        }
        return List.copyOf(entries);
    }

    /** The first line from one on that begins an entry. */
    private static int next(List<String> lines, int from) {
        int at = from;
        while (at < lines.size() && !lines.get(at).startsWith(BEGIN)) {
            at++;
        }
        return at;
    }

    private static List<String> lines() {
        try (InputStream in = Corpus.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + FILE + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
