package io.muninn.launch.option;

import io.muninn.agent.Idle;
import io.muninn.agent.lifecycle.ServedNodes;
import io.muninn.agent.memory.Engines;
import io.muninn.api.Protocol;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpModel;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.Views;
import io.muninn.spi.WeakRules;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Stack;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts words of the command line to values; the text of a {@link TypeConversionException} is
 * for the user.
 */
public final class Converters {
    /** Home-based pages of which hardware sends the stores (AURC). */
    static final String AUTOMATIC = "aurc";

    static final String AUTO = "auto";
    static final String ON = "on";
    static final String OFF = "off";

    private Converters() {}

    /**
     * A protocol, as {@code write-shared} for {@link Protocol#WRITE_SHARED}; iterates over all
     * names.
     */
    public static final class ProtocolName implements ITypeConverter<Protocol>, Iterable<String> {
        @Override
        public Protocol convert(String word) {
            if (word.equalsIgnoreCase(AUTOMATIC)) {
                throw new TypeConversionException(
                        "'"
                                + word
                                + "' needs hardware that sends stores, and is only simulated: dsm"
                                + " sim --network smp-1998 --protocol "
                                + AUTOMATIC);
            }
            return known(word, names());
        }

        private static Protocol known(String word, List<String> names) {
            return Arrays.stream(Protocol.values())
                    .filter(protocol -> protocol.word().equals(word.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> unknown("protocol", word, names));
        }

        @Override
        public Iterator<String> iterator() {
            return names().iterator();
        }

        private static List<String> names() {
            return Arrays.stream(Protocol.values()).map(Protocol::word).toList();
        }
    }

    /** The protocol of a simulated run. */
    public static final class SimulatedProtocolName implements ITypeConverter<SimulatedProtocol> {
        @Override
        public SimulatedProtocol convert(String word) {
            if (word.equalsIgnoreCase(AUTOMATIC)) {
                return new SimulatedProtocol(Protocol.HOME_BASED, true);
            }
            List<String> names = new ArrayList<>(ProtocolName.names());
            names.add(AUTOMATIC);
            return new SimulatedProtocol(ProtocolName.known(word, names), false);
        }
    }

    /** One node, or several from one to another. */
    public static final class OfIds implements ITypeConverter<ServedNodes> {
        @Override
        public ServedNodes convert(String word) {
            if (!word.matches("[0-9]{1,9}(-[0-9]{1,9})?")) {
                throw new TypeConversionException(
                        "'" + word + "' is neither a node, as in 2, nor several, as in 2-5");
            }
            String[] ends = word.split("-");
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (last < first) {
                throw new TypeConversionException("'" + word + "' ends before it begins");
            }
            return new ServedNodes(first, last);
        }
    }

    /** How many agents serve the nodes of a host. */
    public static final class OfAgents implements ITypeConverter<AgentCount> {
        @Override
        public AgentCount convert(String word) {
            try {
                return AgentCount.parse(word);
            } catch (IllegalArgumentException unknown) {
                throw new TypeConversionException(unknown.getMessage());
            }
        }
    }

    /** A fault engine: mechanism and trap. */
    public static final class EngineName implements ITypeConverter<String>, Iterable<String> {
        @Override
        public String convert(String word) {
            List<String> known = Engines.words();
            if (!known.contains(word)) {
                throw unknown("engine", word, known);
            }
            return word;
        }

        @Override
        public Iterator<String> iterator() {
            return Engines.words().iterator();
        }
    }

    /** A kernel that compares pages with their twins; this machine may not be able to run it. */
    static final class KernelName implements ITypeConverter<String> {
        private static final List<String> KNOWN =
                List.of(AUTO, "portable", "avx2", "avx512", "neon");

        @Override
        public String convert(String word) {
            if (!KNOWN.contains(word)) {
                throw unknown("diff kernel", word, KNOWN);
            }
            return word;
        }
    }

    /** {@code block} for {@link Idle#BLOCK}. */
    static final class IdleName implements ITypeConverter<Idle> {
        private static final List<String> KNOWN =
                Arrays.stream(Idle.values()).map(IdleName::word).toList();

        private static String word(Idle idle) {
            return idle.name().toLowerCase(Locale.ROOT);
        }

        @Override
        public Idle convert(String word) {
            return Arrays.stream(Idle.values())
                    .filter(idle -> word(idle).equals(word))
                    .findFirst()
                    .orElseThrow(() -> unknown("idle policy", word, KNOWN));
        }
    }

    /** A garbage collector of the JVM, as in {@code -XX:+UseG1GC}. */
    static final class CollectorName implements ITypeConverter<String> {
        private static final List<String> KNOWN =
                List.of("G1", "ZGC", "Serial", "Parallel", "Shenandoah");

        @Override
        public String convert(String word) {
            return KNOWN.stream()
                    .filter(word::equalsIgnoreCase)
                    .findFirst()
                    .orElseThrow(() -> unknown("collector", word, KNOWN));
        }

        /** The JVM's flag for a result of {@link #convert}. */
        static String flag(String collector) {
            return "-XX:+Use" + collector + (collector.endsWith("GC") ? "" : "GC");
        }
    }

    /** A level of the log. */
    static final class LogLevel implements ITypeConverter<String> {
        private static final List<String> KNOWN =
                List.of("error", "warn", "info", "debug", "trace");

        @Override
        public String convert(String word) {
            if (!KNOWN.contains(word)) {
                throw unknown("log level", word, KNOWN);
            }
            return word;
        }
    }

    /** Decimal seconds, from a tenth, for which a JVM may pause, up to a day. */
    static final class Seconds implements ITypeConverter<Duration> {
        private static final Duration MIN = Duration.ofMillis(100);
        private static final int SECONDS_MAX = 86_400;
        private static final int WHOLE_LENGTH_MAX = 9;

        @Override
        public Duration convert(String word) {
            try {
                Duration seconds =
                        isWhole(word) ? Duration.ofSeconds(Integer.parseInt(word)) : decimal(word);
                if (seconds.compareTo(MIN) >= 0
                        && seconds.compareTo(Duration.ofSeconds(SECONDS_MAX)) <= 0) {
                    return seconds;
                }
            } catch (NumberFormatException cause) {
                throw new TypeConversionException("'" + word + "' is no number of seconds");
            }
            throw new TypeConversionException(
                    "'"
                            + word
                            + "' is outside the range "
                            + text(MIN)
                            + " to "
                            + SECONDS_MAX
                            + " s");
        }

        /**
         * True for a whole number. Most are, and parsing decimals would noticeably delay a
         * launcher.
         */
        private static boolean isWhole(String word) {
            return !word.isEmpty()
                    && word.length() <= WHOLE_LENGTH_MAX
                    && word.chars().allMatch(c -> c >= '0' && c <= '9');
        }

        /** Returns zero for a value out of range, which may be too large for a duration. */
        private static Duration decimal(String word) {
            BigDecimal seconds = new BigDecimal(word);
            boolean inRange =
                    seconds.signum() > 0 && seconds.compareTo(BigDecimal.valueOf(SECONDS_MAX)) <= 0;
            return inRange
                    ? Duration.ofNanos(seconds.movePointRight(9).longValue())
                    : Duration.ZERO;
        }

        /** The text that {@link #convert} reads. */
        static String text(Duration duration) {
            return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
        }
    }

    /** A time with its unit, up to an hour, in nanoseconds; {@code off} means never. */
    static final class Window implements ITypeConverter<Long> {
        private static final Pattern TIME = Pattern.compile("(\\d{1,12})(ns|us|ms|s)");
        private static final long NANOS_MAX = 3_600_000_000_000L;

        @Override
        public Long convert(String word) {
            if (word.equals(OFF)) {
                return UpdateRules.NEVER;
            }
            Matcher time = TIME.matcher(word);
            if (time.matches()) {
                long unitNanos =
                        switch (time.group(2)) {
                            case "ns" -> 1;
                            case "us" -> 1_000;
                            case "ms" -> 1_000_000;
                            default -> 1_000_000_000;
                        };
                long count = Long.parseLong(time.group(1));
                if (count > 0 && count <= NANOS_MAX / unitNanos) {
                    return count * unitNanos;
                }
            }
            throw new TypeConversionException(
                    "'" + word + "' is no time; write 50ms, 200us or 2s, an hour at most, or off");
        }

        /** The text that {@link #convert} reads. */
        static String text(long nanos) {
            return nanos == UpdateRules.NEVER ? OFF : nanos + "ns";
        }
    }

    /** A number of pages, {@code auto}, or {@code off} for none. */
    static final class Pages implements ITypeConverter<Integer> {
        private static final String AUTO = "auto";
        private static final int PAGES_MAX = 4096;

        @Override
        public Integer convert(String word) {
            if (word.equals(OFF)) {
                return 0;
            }
            if (word.equals(AUTO)) {
                return ReadAheadRules.PAGES_MAX_USUAL;
            }
            if (word.matches("[1-9]\\d{0,3}") && Integer.parseInt(word) <= PAGES_MAX) {
                return Integer.parseInt(word);
            }
            throw new TypeConversionException(
                    "'"
                            + word
                            + "' is no read-ahead; write auto, off, or pages from 1 to "
                            + PAGES_MAX);
        }

        /** The text that {@link #convert} reads. */
        static String text(int pages) {
            return pages == 0 ? OFF : Integer.toString(pages);
        }
    }

    /** Takes the next word in any form, because an option of a JVM may look like one of ours. */
    static final class JvmOption implements IParameterConsumer {
        @Override
        public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
            if (words.isEmpty()) {
                throw new ParameterException(
                        command.commandLine(), "missing parameter for option '--jvm-option' (OPT)");
            }
            List<String> all = option.getValue();
            all.add(words.pop());
        }
    }

    /** {@code on} or {@code off}; not a boolean, because picocli parses booleans differently. */
    static final class Switch implements ITypeConverter<String> {
        @Override
        public String convert(String word) {
            if (!word.equals(ON) && !word.equals(OFF)) {
                throw new TypeConversionException("'" + word + "' is neither on nor off");
            }
            return word;
        }
    }

    /** How many nodes may store to a lazy page at a time. */
    public static final class Writers implements ITypeConverter<LazyWriters> {
        @Override
        public LazyWriters convert(String word) {
            for (LazyWriters writers : LazyWriters.values()) {
                if (writers.word().equals(word)) {
                    return writers;
                }
            }
            throw new TypeConversionException("'" + word + "' is neither multiple nor single");
        }
    }

    /** What the fetch of a page leaves to the processes of a node. */
    static final class Fetch implements ITypeConverter<Views> {
        @Override
        public Views convert(String word) {
            for (Views views : List.of(Views.MERGING, Views.TAKING)) {
                if (views.word().equals(word)) {
                    return views;
                }
            }
            throw new TypeConversionException("'" + word + "' is neither merge nor take");
        }
    }

    /** When a store to a weak page announces itself. */
    static final class WeakTransition implements ITypeConverter<WeakRules.Transition> {
        @Override
        public WeakRules.Transition convert(String word) {
            return either(WeakRules.Transition.values(), WeakRules.Transition::word, word);
        }
    }

    /** Where the notices of weak pages are kept. */
    static final class WeakLists implements ITypeConverter<WeakRules.Lists> {
        @Override
        public WeakRules.Lists convert(String word) {
            return either(WeakRules.Lists.values(), WeakRules.Lists::word, word);
        }
    }

    /** Which nodes get notices of weak pages. */
    static final class WeakNotices implements ITypeConverter<WeakRules.Notices> {
        @Override
        public WeakRules.Notices convert(String word) {
            return either(WeakRules.Notices.values(), WeakRules.Notices::word, word);
        }
    }

    /** One of two values. */
    private static <T> T either(T[] values, Function<T, String> name, String word) {
        for (T value : values) {
            if (name.apply(value).equals(word)) {
                return value;
            }
        }
        throw new TypeConversionException(
                "'"
                        + word
                        + "' is neither "
                        + Arrays.stream(values).map(name).collect(Collectors.joining(" nor ")));
    }

    /** Bytes, with a suffix k, m, g or t for powers of 1024. */
    static final class Bytes implements ITypeConverter<Long> {
        private static final String SUFFIXES = "kmgt";

        @Override
        public Long convert(String word) {
            String digits = word.toLowerCase(Locale.ROOT);
            int power =
                    digits.isEmpty() ? -1 : SUFFIXES.indexOf(digits.charAt(digits.length() - 1));
            if (power >= 0) {
                digits = digits.substring(0, digits.length() - 1);
            }
            try {
                long bytes = Math.multiplyExact(Long.parseLong(digits), 1L << (10 * (power + 1)));
                if (bytes > 0) {
                    return bytes;
                }
            } catch (NumberFormatException | ArithmeticException cause) {
                throw new TypeConversionException(text(word));
            }
            throw new TypeConversionException(text(word));
        }

        private static String text(String word) {
            return "'"
                    + word
                    + "' is no size; write bytes, at least 1, or a number with k, m, g or t";
        }
    }

    /** A seed: a decimal number, or {@code 0x} and up to 16 hexadecimal digits. */
    public static final class Seed implements ITypeConverter<Long> {
        private static final String HEX = "0x";

        @Override
        public Long convert(String word) {
            try {
                return word.startsWith(HEX)
                        ? Long.parseUnsignedLong(word.substring(HEX.length()), 16)
                        : Long.parseLong(word);
            } catch (NumberFormatException cause) {
                throw new TypeConversionException(
                        "'" + word + "' is no seed; write a number, or 0x and up to 16 hex digits");
            }
        }
    }

    /** Decimal minutes, up to a week. */
    public static final class Minutes implements ITypeConverter<Duration> {
        private static final BigDecimal MINUTES_MAX = BigDecimal.valueOf(7 * 24 * 60);
        private static final BigDecimal NANOS = BigDecimal.valueOf(60_000_000_000L);

        @Override
        public Duration convert(String word) {
            try {
                BigDecimal minutes = new BigDecimal(word);
                if (minutes.signum() > 0 && minutes.compareTo(MINUTES_MAX) <= 0) {
                    return Duration.ofNanos(minutes.multiply(NANOS).longValue());
                }
            } catch (NumberFormatException cause) {
                throw new TypeConversionException("'" + word + "' is no number of minutes");
            }
            throw new TypeConversionException(
                    "'" + word + "' is outside the range above 0, up to " + MINUTES_MAX + " min");
        }
    }

    /** A kind of machines and network that the simulator models. */
    public static final class NetworkName implements ITypeConverter<MachineOptions.Network> {
        private static final Map<String, MachineModel> COSTS =
                Map.of(
                        "loopback", MachineModel.LOOPBACK,
                        "rack", MachineModel.RACK,
                        "ethernet-1991", MachineModel.ETHERNET_1991);

        @Override
        public MachineOptions.Network convert(String word) {
            MachineModel model = COSTS.get(word);
            if (model != null) {
                return new MachineOptions.Network.Costs(model);
            }
            if (SmpModel.names().contains(word)) {
                return new MachineOptions.Network.Hardware(SmpModel.named(word));
            }
            throw unknown(
                    "network",
                    word,
                    Stream.concat(COSTS.keySet().stream(), SmpModel.names().stream())
                            .sorted()
                            .toList());
        }
    }

    /** A choice of the processor that handles requests, as {@code round-robin}. */
    public static final class HandlerPolicyName implements ITypeConverter<HandlerPolicy> {
        @Override
        public HandlerPolicy convert(String word) {
            for (HandlerPolicy policy : HandlerPolicy.values()) {
                if (word(policy).equals(word)) {
                    return policy;
                }
            }
            throw unknown(
                    "choice of handlers",
                    word,
                    Stream.of(HandlerPolicy.values()).map(HandlerPolicyName::word).toList());
        }

        private static String word(HandlerPolicy policy) {
            return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static TypeConversionException unknown(String what, String word, List<String> known) {
        return new TypeConversionException(
                "unknown "
                        + what
                        + " '"
                        + word
                        + "'"
                        + DidYouMean.of(word, known)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("")
                        + known.stream().collect(Collectors.joining(", ", " (known: ", ")")));
    }
}
