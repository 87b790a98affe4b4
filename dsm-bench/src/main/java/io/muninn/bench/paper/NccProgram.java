package io.muninn.bench.paper;

import io.muninn.apps.Structure;
import java.util.List;

/**
 * A program of the study of machines without coherent caches.
 *
 * <p>Source: Kontothanassis and Scott, section 3. Departures: the paper does not tell the
 * iterations of sor and the size of appbt; this one has five of the 60 steps of its class S.
 */
enum NccProgram {
    SOR("sor", "sor", "--size 640 --steps 10", "--size 66 --steps 3", List.of(), "", ""),
    FFT("fft", "fft-1d", "--points 65536", "--points 2048", List.of(), "", ""),
    APPBT(
            "appbt",
            "appbt",
            "--size 12 --steps 5",
            "--size 6 --steps 2",
            List.of(Structure.PLAIN, "aligned", Structure.REMOTE),
            "aligned",
            "aligned"),
    WATER(
            "water",
            "water-nsq",
            "--molecules 256 --steps 3",
            "--molecules 64 --steps 1",
            List.of(Structure.PLAIN, Structure.PADDED, Structure.SEPARATED, Structure.REMOTE),
            Structure.SEPARATED,
            Structure.SEPARATED),
    GAUSS(
            "Gauss",
            "gauss-flags",
            "--size 448",
            "--size 40",
            List.of(Structure.PLAIN, Structure.SEPARATED, Structure.READERS, Structure.REMOTE),
            Structure.SEPARATED,
            Structure.READERS),
    MP3D(
            "mp3d",
            "mp3d",
            "--particles 40000 --steps 10",
            "--particles 1500 --steps 2",
            List.of(
                    Structure.PLAIN,
                    Structure.SEPARATED,
                    Structure.PADDED,
                    Structure.SORTED,
                    Structure.REMOTE),
            Structure.SORTED,
            Structure.SORTED);

    private final String title;
    private final String program;
    private final String usual;
    private final String quick;
    private final List<String> levels;
    private final String unaided;
    private final String cached;

    NccProgram(
            String title,
            String program,
            String usual,
            String quick,
            List<String> levels,
            String unaided,
            String cached) {
        this.title = title;
        this.program = program;
        this.usual = usual;
        this.quick = quick;
        this.levels = levels;
        this.unaided = unaided;
        this.cached = cached;
    }

    /** As the paper writes it. */
    String title() {
        return title;
    }

    /** The name of the program. */
    String program() {
        return program;
    }

    /** Its levels of structure, in order; none if it has one version. */
    List<String> levels() {
        return levels;
    }

    /** The best level that needs no help of the protocol: that of Figures 2 and 3. */
    String unaided() {
        return unaided;
    }

    /** The best level on hardware, where nothing is remote. */
    String cached() {
        return cached;
    }

    /** The best level with software. */
    String best() {
        return levels.isEmpty() ? "" : levels.getLast();
    }

    /** The options of a run. */
    List<String> options(String level, boolean isQuick) {
        String size = isQuick ? quick : usual;
        String all = level.isEmpty() ? size : size + " --structure " + level;
        return List.of(all.split(" "));
    }
}
