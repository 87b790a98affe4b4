package io.muninn.launch;

import io.muninn.api.Protocol;
import io.muninn.sim.MachineModel;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Words of the command line as values; a {@link TypeConversionException} has a text for the user.
 */
final class Converters {
    private Converters() {}

    /** {@code write-shared} for {@link Protocol#WRITE_SHARED}. */
    static final class ProtocolName implements ITypeConverter<Protocol> {
        @Override
        public Protocol convert(String word) {
            return Arrays.stream(Protocol.values())
                    .filter(protocol -> protocol.word().equals(word.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> unknown("protocol", word, names()));
        }

        private static List<String> names() {
            return Arrays.stream(Protocol.values()).map(Protocol::word).toList();
        }
    }

    /** A fault engine, protect and trap. */
    static final class EngineName implements ITypeConverter<String> {
        private static final List<String> KNOWN = List.of("auto", "uffd+event");

        @Override
        public String convert(String word) {
            if (!KNOWN.contains(word)) {
                throw unknown("engine", word, KNOWN);
            }
            return word;
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

        /** The JVM's flag for one that {@link #convert} gave. */
        static String flag(String collector) {
            return "-XX:+Use" + collector + (collector.endsWith("GC") ? "" : "GC");
        }
    }

    /** Decimal seconds, up to a day. */
    static final class Seconds implements ITypeConverter<Duration> {
        private static final BigDecimal SECONDS_MAX = BigDecimal.valueOf(86_400);

        @Override
        public Duration convert(String word) {
            try {
                BigDecimal seconds = new BigDecimal(word);
                if (seconds.signum() > 0 && seconds.compareTo(SECONDS_MAX) <= 0) {
                    return Duration.ofNanos(seconds.movePointRight(9).longValue());
                }
            } catch (NumberFormatException cause) {
                throw new TypeConversionException("'" + word + "' is no number of seconds");
            }
            throw new TypeConversionException(
                    "'" + word + "' is outside the range above 0, up to " + SECONDS_MAX + " s");
        }

        /** As {@link #convert} reads it. */
        static String text(Duration duration) {
            return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
        }
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
            return "'" + word + "' is no size; write bytes, or a number with k, m, g or t";
        }
    }

    /** A seed: a decimal number, or {@code 0x} and up to 16 hexadecimal digits. */
    static final class Seed implements ITypeConverter<Long> {
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
    static final class Minutes implements ITypeConverter<Duration> {
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

    /** A kind of machines and network that the simulator pretends. */
    static final class NetworkName implements ITypeConverter<MachineModel> {
        private static final Map<String, MachineModel> KNOWN =
                Map.of(
                        "loopback", MachineModel.LOOPBACK,
                        "rack", MachineModel.RACK,
                        "ethernet-1991", MachineModel.ETHERNET_1991);

        @Override
        public MachineModel convert(String word) {
            MachineModel model = KNOWN.get(word);
            if (model == null) {
                throw unknown("network", word, KNOWN.keySet().stream().sorted().toList());
            }
            return model;
        }
    }

    private static TypeConversionException unknown(String what, String word, List<String> known) {
        return new TypeConversionException(
                "unknown "
                        + what
                        + " '"
                        + word
                        + "'"
                        + Nearest.of(word, known)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("")
                        + known.stream().collect(Collectors.joining(", ", " (known: ", ")")));
    }
}
