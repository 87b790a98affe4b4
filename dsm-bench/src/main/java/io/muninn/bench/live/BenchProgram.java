package io.muninn.bench.live;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.RemoteLongs;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.bench.series.Effort;
import io.muninn.bench.series.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Measures some sections in order. The root writes their results to a file. */
final class BenchProgram implements DsmProgram {
    @SuppressWarnings("unused") // a declaration: sections use the variable
    @Shared(home = Home.CYCLIC)
    private final RemoteLongs remotes;

    private final List<Section> sections;
    private final Effort effort;
    private final Path results;
    private final Recorder recorder;

    /**
     * @param remotes that a section measures
     */
    BenchProgram(
            RemoteLongs remotes,
            List<Section> sections,
            Recorder recorder,
            Effort effort,
            Path results) {
        this.remotes = remotes;
        this.recorder = recorder;
        this.sections = List.copyOf(sections);
        this.effort = effort;
        this.results = results;
    }

    @Override
    public void run(DsmNode node) {
        for (Section section : sections) {
            if (node.nodes() >= section.nodesMin()) {
                section.run(node, effort, recorder);
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        List<Measured> all = recorder.all();
        try {
            Files.write(results, all.stream().map(Measured::line).toList());
        } catch (IOException cause) {
            throw new DsmException("cannot write " + results, cause);
        }
        return all.isEmpty()
                ? Verdict.wrong("none of these operations is measured on so many nodes")
                : Verdict.right(all.size() + " operations measured");
    }
}
