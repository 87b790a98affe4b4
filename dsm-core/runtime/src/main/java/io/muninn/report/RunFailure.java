package io.muninn.report;

import java.util.OptionalInt;

/**
 * The failure of a run.
 *
 * @param status the exit status, not 0
 * @param node the node where it began; empty if that is not a single node or not known
 * @param cause one line of text
 */
public record RunFailure(int status, OptionalInt node, String cause) {}
