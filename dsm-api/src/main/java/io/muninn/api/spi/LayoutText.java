package io.muninn.api.spi;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text form of a layout; {@link Layout#toText} gives its grammar. */
final class LayoutText {
    private static final String REGION = "region";
    private static final String REMOTE = "remote";
    private static final String FIRST_LINE = "muninn-layout 1";

    /**
     * Largest number of characters that are parsed: an agent reads the text of a process that it
     * does not yet trust.
     */
    private static final int CHARACTERS_MAX = 16 << 20;

    private LayoutText() {}

    static String format(Layout layout) {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        layout.regions().forEach(region -> format(REGION, region, text));
        layout.remotes().forEach(remote -> format(REMOTE, remote, text));
        return text.toString();
    }

    static String format(RegionSpec region) {
        StringBuilder text = new StringBuilder();
        format(REGION, region, text);
        return text.toString();
    }

    private static void format(String word, RegionSpec region, StringBuilder text) {
        text.append(word).append(' ');
        escape(region.name(), text);
        text.append(' ').append(region.protocol().code());
        text.append(' ').append(region.offset());
        text.append(' ').append(region.bytes());
        text.append(' ').append(region.granuleBytes());
        text.append(' ').append(region.unitPages());
        if (region.home() != Home.BANDED) {
            text.append(' ').append(region.home().code());
        }
        text.append('\n');
        for (VariableSpec variable : region.variables()) {
            text.append("variable ");
            escape(variable.name(), text);
            text.append(' ');
            escape(variable.type(), text);
            text.append(' ').append(variable.offset());
            text.append(' ').append(variable.bytes()).append('\n');
        }
    }

    static RegionSpec parseRegion(int index, String text) {
        checkLength(text);
        List<String> lines = text.lines().toList();
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("a region without a line of text");
        }
        return region(REGION, index, lines);
    }

    private static void checkLength(String text) {
        if (text.length() > CHARACTERS_MAX) {
            throw new IllegalArgumentException(
                    "layout of " + text.length() + " characters, more than " + CHARACTERS_MAX);
        }
    }

    static Layout parse(String text) {
        checkLength(text);
        List<String> lines = text.lines().toList();
        if (lines.isEmpty() || !lines.getFirst().equals(FIRST_LINE)) {
            throw new IllegalArgumentException(
                    "layout line 1: expected '" + FIRST_LINE + "', the only version known here");
        }
        List<RegionSpec> regions = new ArrayList<>();
        List<RegionSpec> remotes = new ArrayList<>();
        int next = 1;
        while (next < lines.size()) {
            int first = next++;
            while (next < lines.size() && lines.get(next).startsWith("variable ")) {
                next++;
            }
            boolean isRemote = lines.get(first).startsWith(REMOTE + " ");
            List<RegionSpec> target = isRemote || !remotes.isEmpty() ? remotes : regions;
            String word = target == remotes ? REMOTE : REGION;
            try {
                target.add(region(word, target.size(), lines.subList(first, next)));
            } catch (IllegalArgumentException cause) {
                throw new IllegalArgumentException(
                        "layout line " + (first + 1) + ": " + cause.getMessage(), cause);
            }
        }
        return new Layout(regions, remotes);
    }

    /** Parses a region: the first line describes the region, the others its variables. */
    private static RegionSpec region(String word, int index, List<String> lines) {
        String[] words = words(lines.getFirst(), word, 7, 8);
        List<VariableSpec> variables = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] parts = words(line, "variable", 5, 5);
            variables.add(
                    new VariableSpec(
                            unescape(parts[1]),
                            unescape(parts[2]),
                            Long.parseLong(parts[3]),
                            Long.parseLong(parts[4])));
        }
        return new RegionSpec(
                index,
                unescape(words[1]),
                Protocol.fromCode(Integer.parseInt(words[2])),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Integer.parseInt(words[5]),
                Integer.parseInt(words[6]),
                words.length > 7 ? Home.fromCode(Integer.parseInt(words[7])) : Home.BANDED,
                variables);
    }

    private static String[] words(String line, String first, int least, int most) {
        String[] words = line.split(" ", -1);
        if (words.length < least || words.length > most || !words[0].equals(first)) {
            throw new IllegalArgumentException(
                    "expected "
                            + first
                            + " and "
                            + (least - 1)
                            + (most > least ? " to " + (most - 1) : "")
                            + " more words, got '"
                            + line
                            + "'");
        }
        return words;
    }

    private static void escape(String word, StringBuilder text) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c > ' ' && c < 0x7f && c != '%') {
                text.append(c);
            } else {
                text.append('%').append(String.format(Locale.ROOT, "%04x", (int) c));
            }
        }
    }

    private static String unescape(String word) {
        StringBuilder text = new StringBuilder(word.length());
        int i = 0;
        while (i < word.length()) {
            if (word.charAt(i) != '%') {
                text.append(word.charAt(i++));
                continue;
            }
            if (word.length() - i < 5) {
                throw new IllegalArgumentException("'" + word + "' ends within an escape");
            }
            text.append((char) Integer.parseInt(word, i + 1, i + 5, 16));
            i += 5;
        }
        return text.toString();
    }
}
