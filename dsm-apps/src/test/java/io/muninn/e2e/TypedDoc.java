package io.muninn.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reader types who follows a document from top to bottom: its complete Java programs and its
 * commands, in order.
 *
 * <p>A fenced Java block that declares a class is a program, and goes into a file of that name. A
 * line of an indented block that begins with {@code $} is a command, and the lines below it are
 * what it prints, on both streams. Nothing below a command means that what it prints is not shown.
 * A line {@code …} stands for any lines, an ellipsis within a line for any text. Numbers in a line
 * with a time are different in each run, except in those of the simulator. Invisible comments
 * before a block say what a reader cannot see:
 *
 * <ul>
 *   <li>{@code <!-- typed first: COMMAND -->} is typed before the block, without being shown;
 *   <li>{@code <!-- typed status: 2 -->} is the exit status of the block's commands, else 0;
 *   <li>{@code <!-- typed elsewhere: XyzTest -->}: the block needs what a reader's machine may not
 *       have, and that test runs its commands.
 * </ul>
 *
 * @param name of the document
 */
record TypedDoc(String name, List<Step> steps) {
    private static final Pattern NOTE =
            Pattern.compile("<!-- typed (first|status|elsewhere): (.*) -->");
    private static final Pattern CLASS =
            Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)");
    private static final Pattern TIME = Pattern.compile("\\d (s|ms|µs|ns)\\b");
    private static final Pattern NUMBER =
            Pattern.compile("\\d+(\\.\\d+)?( (s|ms|µs|ns|B|KiB|MiB|GiB)\\b)?");
    private static final String ANY_NUMBER = "\\d+(\\.\\d+)?( (s|ms|µs|ns|B|KiB|MiB|GiB)\\b)?";
    private static final String PROMPT = "    $ ";
    private static final String INDENT = "    ";
    private static final String FENCE = "```";
    private static final String ANY = "…";
    private static final String SIMULATOR = "./dsm sim ";

    /** One thing to do. */
    sealed interface Step {
        /** Where it stands, from 1 on. */
        int line();
    }

    /** Write a program to a file. */
    record Program(int line, String className, String source) implements Step {}

    /**
     * Type a command.
     *
     * @param status that it ends with
     * @param shown what it prints, as far as the document says; starts at the line below the
     *     command
     */
    record Command(int line, String text, int status, List<Shown> shown) implements Step {
        /** What differs from what the document shows, with its line. */
        Optional<Difference> compare(String printed) {
            List<String> lines = printed.lines().map(String::stripTrailing).toList();
            int next = 0;
            boolean isAny = shown.isEmpty();
            for (Shown each : shown) {
                if (each.isAny()) {
                    isAny = true;
                    continue;
                }
                Pattern pattern = each.pattern(!text.contains(SIMULATOR));
                int found = next;
                while (isAny && found < lines.size() && !matches(pattern, lines, found)) {
                    found++;
                }
                if (found == lines.size() || !matches(pattern, lines, found)) {
                    return Optional.of(new Difference(each.line(), each.text()));
                }
                next = found + 1;
                isAny = false;
            }
            return isAny || next == lines.size()
                    ? Optional.empty()
                    : Optional.of(new Difference(line, "nothing like '" + lines.get(next) + "'"));
        }

        private static boolean matches(Pattern pattern, List<String> lines, int index) {
            return pattern.matcher(lines.get(index)).matches();
        }
    }

    /** What a document shows at a line, and a command has not printed there. */
    record Difference(int line, String shown) {}

    /** The named test types the commands of a block. */
    record Elsewhere(int line, String test) implements Step {}

    /** A line of output. */
    record Shown(int line, String text) {
        boolean isAny() {
            return text.strip().equals(ANY);
        }

        Pattern pattern(boolean timesVary) {
            boolean varies = timesVary && TIME.matcher(text).find();
            StringBuilder pattern = new StringBuilder();
            Matcher number = NUMBER.matcher(text);
            int from = 0;
            while (varies && number.find()) {
                pattern.append(quoted(text.substring(from, number.start()))).append(ANY_NUMBER);
                from = number.end();
            }
            return Pattern.compile(pattern.append(quoted(text.substring(from))).toString());
        }

        /** Columns are as wide as what stands in them. */
        private static String quoted(String part) {
            return Pattern.quote(part).replace(ANY, "\\E.*\\Q").replaceAll(" +", "\\\\E +\\\\Q");
        }
    }

    /** Reads a document. */
    static TypedDoc of(String name, String text) {
        return new TypedDoc(name, new Reader(name, text.lines().toList()).steps());
    }

    /** Goes through the lines of a document once. */
    private static final class Reader {
        private final String name;
        private final List<String> lines;
        private final List<Step> steps = new ArrayList<>();
        private final List<String> notes = new ArrayList<>(); // of the block to come
        private int at;
        private int status;
        private boolean isElsewhere;

        Reader(String name, List<String> lines) {
            this.name = name;
            this.lines = lines;
        }

        List<Step> steps() {
            while (at < lines.size()) {
                String line = lines.get(at);
                if (line.startsWith(FENCE)) {
                    needNoNotes();
                    fence(line.equals(FENCE + "java"));
                } else if (line.startsWith("<!-- typed")) {
                    note(line);
                } else if (line.startsWith(INDENT)) {
                    block();
                } else {
                    if (!line.isBlank()) {
                        needNoNotes();
                    }
                    at++;
                }
            }
            needNoNotes();
            return steps;
        }

        private void needNoNotes() {
            if (!notes.isEmpty()) {
                throw new IllegalArgumentException(
                        name + ":" + (at + 1) + ": no block of commands follows " + notes);
            }
        }

        private void note(String line) {
            Matcher note = NOTE.matcher(line);
            if (!note.matches()) {
                throw new IllegalArgumentException(name + ":" + (at + 1) + ": unknown " + line);
            }
            notes.add(line);
            switch (note.group(1)) {
                case "status" -> status = Integer.parseInt(note.group(2));
                case "first" -> steps.add(new Command(at + 1, note.group(2), 0, List.of()));
                default -> {
                    isElsewhere = true;
                    steps.add(new Elsewhere(at + 1, note.group(2)));
                }
            }
            at++;
        }

        private void fence(boolean isJava) {
            int start = at + 1;
            at = start;
            while (!lines.get(at).startsWith(FENCE)) {
                at++;
            }
            String source = String.join("\n", lines.subList(start, at)) + "\n";
            Matcher className = CLASS.matcher(source);
            if (isJava && className.find()) {
                steps.add(new Program(start + 1, className.group(1), source));
            }
            at++;
        }

        /** A block ends where text begins; it may contain empty lines. */
        private void block() {
            List<Shown> shown = new ArrayList<>(); // of no command, to begin with
            while (at < lines.size()) {
                String line = lines.get(at);
                if (line.startsWith(PROMPT)) {
                    shown = command();
                    continue;
                }
                if (line.startsWith(INDENT)) {
                    shown.add(new Shown(at + 1, line.substring(INDENT.length())));
                } else if (line.isBlank() && goesOn()) {
                    shown.add(new Shown(at + 1, ""));
                } else {
                    break;
                }
                at++;
            }
            notes.clear();
            status = 0;
            isElsewhere = false;
        }

        private boolean goesOn() {
            int next = at;
            while (next < lines.size() && lines.get(next).isBlank()) {
                next++;
            }
            // an empty line before a command belongs to no output
            return next < lines.size()
                    && lines.get(next).startsWith(INDENT)
                    && !lines.get(next).startsWith(PROMPT);
        }

        private List<Shown> command() {
            int start = at;
            StringBuilder text = new StringBuilder(lines.get(at).substring(PROMPT.length()));
            while (text.charAt(text.length() - 1) == '\\') {
                at++;
                text.append('\n').append(lines.get(at));
            }
            at++;
            List<Shown> shown = new ArrayList<>();
            if (!isElsewhere) {
                steps.add(new Command(start + 1, text.toString(), status, shown));
            }
            return shown;
        }
    }
}
