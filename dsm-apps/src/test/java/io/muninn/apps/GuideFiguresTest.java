package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.NodeCounter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The guide's tables of programs under several protocols have the figures of {@code ./dsm sim -n 4
 * --network rack}: seconds, messages and bytes, as far as they are written out.
 */
@Timeout(60)
class GuideFiguresTest {
    private static final Path GUIDE = Path.of("..", "docs", "GUIDE.md");
    private static final Pattern TABLE =
            Pattern.compile(
                    "(?m)^\\| `([\\w-]+)`[^|\n]* \\| seconds \\| messages \\| bytes \\|.*\n\\|[- |]+\n"
                            + "((?:\\|.*\n)+)");
    private static final Pattern ROW =
            Pattern.compile("\\| ([^|]+) \\| ([\\d.]+) \\| ([\\d –]+) \\| ([^|]+) \\|.*");
    private static final Pattern OPTION = Pattern.compile("`--(protocol|version) ([\\w-]+)`");
    private static final int NODES = 4;
    private static final double MIB = 1 << 20;

    /** A row of a table. */
    private record Figures(String program, String label, String seconds, String counts) {}

    static Stream<Figures> figures() throws IOException {
        return TABLE.matcher(Files.readString(GUIDE))
                .results()
                .flatMap(table -> table.group(2).lines().map(row -> figures(table.group(1), row)));
    }

    private static Figures figures(String program, String row) {
        Matcher cells = ROW.matcher(row);
        assertTrue(cells.matches(), () -> "no row of figures: " + row);
        String counts = cells.group(3).replace(" ", "") + ", " + cells.group(4);
        return new Figures(program, cells.group(1), cells.group(2), counts);
    }

    @Test
    void tables_areFound() throws IOException {
        List<String> programs = figures().map(Figures::program).distinct().toList();

        assertEquals(List.of("falseshare", "gauss", "counter", "tsp-f"), programs);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("figures")
    void figures_areThoseOfTheSimulator(Figures figures) {
        Matcher option = OPTION.matcher(figures.label);
        boolean isOptional = option.find();
        boolean isVersion = isOptional && option.group(1).equals("version");
        List<String> words = isVersion ? List.of("--version", option.group(2)) : List.of();
        BuiltInProgram program = ProgramsByName.named(figures.program);
        AppRun run = AppRun.of(() -> program.create(words), NODES).model(MachineModel.RACK);
        if (isOptional && !isVersion) {
            run.protocol(protocol(option.group(2)));
        }

        AppResult result = run.run();

        int digits = new BigDecimal(figures.seconds).scale();
        assertEquals(
                figures.seconds,
                BigDecimal.valueOf(result.seconds())
                        .setScale(digits, RoundingMode.HALF_UP)
                        .toPlainString());
        if (!figures.counts.startsWith("–")) {
            assertEquals(figures.counts, counts(result));
        }
    }

    private static Protocol protocol(String word) {
        return Arrays.stream(Protocol.values())
                .filter(protocol -> protocol.word().equals(word))
                .findFirst()
                .orElseThrow();
    }

    /** Messages, and bytes to three digits. */
    private static String counts(AppResult result) {
        double mebibytes = result.total(NodeCounter.BYTES) / MIB;
        String format = mebibytes < 10 ? "%d, %.2f MiB" : "%d, %.1f MiB";
        return String.format(Locale.ROOT, format, result.total(NodeCounter.MESSAGES), mebibytes);
    }
}
