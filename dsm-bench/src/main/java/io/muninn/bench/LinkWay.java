package io.muninn.bench;

import java.util.List;
import java.util.Locale;

/** What protects the frames of a link, and the options for it. */
enum LinkWay {
    /** Numbers and checks of headers, which no option leaves out. */
    BARE("--plaintext", "--checksums", "off"),
    /** With checksums of frames and pages. */
    CHECKSUMS("--plaintext"),
    /** With TLS, too: what a link between hosts has without options. */
    TLS;

    /** Of {@code dsm run}, whose Unix sockets never have TLS. */
    private static final String PLAINTEXT = "--plaintext";

    private final List<String> options;

    LinkWay(String... options) {
        this.options = List.of(options);
    }

    /** Options of {@code dsm node}. */
    List<String> ofNode() {
        return options;
    }

    /** Options of {@code dsm run}, which has none of TLS. */
    List<String> ofRun() {
        return options.stream().filter(each -> !each.equals(PLAINTEXT)).toList();
    }

    /** The way with which this one is compared; the first has none. */
    LinkWay before() {
        return values()[ordinal() - 1];
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
