package io.muninn.apps.pgas;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of {@link HistogramProgram} in the list of programs. */
public final class Histogram implements BuiltInProgram {
    static final String AGGREGATED = "aggregated";
    static final String ONE_BY_ONE = "dsm";

    static final int TABLE_MAX = 1 << 27;
    static final int OPERATIONS_MAX = 1 << 27;

    @Override
    public String name() {
        return "histogram";
    }

    @Override
    public String summary() {
        return "every thread adds to random words of a distributed table";
    }

    @Override
    public String usage() {
        return """
        --table N     words of the table, 1 to 134217728 (4096)
        --updates N   by every thread, 0 to 134217728 (10000)
        --version V   dsm: one by one; aggregated: many together (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of(ONE_BY_ONE, AGGREGATED);
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "table=", "updates=", "version=");
        String version = options.choice("version", versions());
        return new HistogramProgram(
                options.integer("table", 4096, 1, TABLE_MAX),
                options.integer("updates", 10_000, 0, OPERATIONS_MAX),
                version.equals(AGGREGATED));
    }
}
