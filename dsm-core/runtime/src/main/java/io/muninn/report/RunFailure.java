package io.muninn.report;

import java.util.OptionalInt;

/**
 * Why a run did not end well.
 *
 * @param status the exit status, not 0
 * @param node where it began; empty if that is no single node or not known
 * @param cause in words, one line
 */
public record RunFailure(int status, OptionalInt node, String cause) {}
