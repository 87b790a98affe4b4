package io.muninn.apps.pgas;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of {@link IndexGatherProgram} in the list of programs. */
public final class IndexGather implements BuiltInProgram {
    @Override
    public String name() {
        return "indexgather";
    }

    @Override
    public String summary() {
        return "every thread loads random words of a distributed table";
    }

    @Override
    public String usage() {
        return """
        --table N     words of the table, 1 to 134217728 (4096)
        --loads N     by every thread, 0 to 134217728 (10000)
        --version V   dsm: one by one; aggregated: many together (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of(Histogram.ONE_BY_ONE, Histogram.AGGREGATED);
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "table=", "loads=", "version=");
        String version = options.choice("version", versions());
        return new IndexGatherProgram(
                options.integer("table", 4096, 1, Histogram.TABLE_MAX),
                options.integer("loads", 10_000, 0, Histogram.OPERATIONS_MAX),
                version.equals(Histogram.AGGREGATED));
    }
}
