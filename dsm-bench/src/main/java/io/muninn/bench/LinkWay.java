package io.muninn.bench;

import java.util.List;

/** What protects the frames of a link, and the options for it. */
enum LinkWay {
    /** Numbers and checks of headers, which no option leaves out. */
    BARE("bare", "--plaintext", "--checksums", "off"),
    /** With checksums of frames and pages. */
    CHECKSUMS("checksums", "--plaintext"),
    /** With TLS, too: what a link between hosts has without options. */
    TLS("TLS");

    /** Of {@code dsm run}, whose Unix sockets never have TLS. */
    private static final String PLAINTEXT = "--plaintext";

    private final String word;
    private final List<String> options;

    LinkWay(String word, String... options) {
        this.word = word;
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
        return word;
    }
}
