package io.muninn.bench.paper;

import io.muninn.bench.output.ChartFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.CategoryChart;

/**
 * A figure of the speedups of all programs on most processors: a group of bars for each.
 *
 * @param number as the paper numbers it
 * @param title what it shows
 * @param groups the programs, each at all its sizes
 * @param bars those of each group
 */
record SpeedupBars(int number, String title, List<Group> groups, List<Bar> bars) implements Figure {
    /**
     * One program.
     *
     * @param title for readers
     * @param programs its sizes, by name
     */
    record Group(String title, List<String> programs) {
        Group {
            programs = List.copyOf(programs);
        }
    }

    /**
     * One bar of each group.
     *
     * @param title for readers
     * @param version that it is about
     * @param size which of the group's programs, from 0
     */
    record Bar(String title, PaperVersion version, int size) {}

    SpeedupBars {
        groups = List.copyOf(groups);
        bars = List.copyOf(bars);
    }

    /** Shows those groups of which every bar was run. */
    @Override
    public boolean write(PaperResults results, Path folder) throws IOException {
        List<Group> complete =
                groups.stream()
                        .filter(group -> bars.stream().allMatch(bar -> isRun(results, group, bar)))
                        .toList();
        if (complete.isEmpty()) {
            return false;
        }
        CategoryChart chart =
                ChartFiles.bars(
                        "Figure " + number + ": " + title,
                        "program",
                        "speedup on " + results.most() + " processors");
        List<String> titles = complete.stream().map(Group::title).toList();
        for (Bar bar : bars) {
            List<Double> speedups = new ArrayList<>();
            for (Group group : complete) {
                String program = group.programs().get(bar.size());
                speedups.add(results.speedup(program, bar.version(), results.most()).orElseThrow());
            }
            chart.addSeries(bar.title(), titles, speedups);
        }
        ChartFiles.write(chart, folder, fileName());
        return true;
    }

    private static boolean isRun(PaperResults results, Group group, Bar bar) {
        return results.at(group.programs().get(bar.size()), bar.version(), results.most())
                .isPresent();
    }
}
