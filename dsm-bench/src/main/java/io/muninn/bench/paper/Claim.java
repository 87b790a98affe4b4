package io.muninn.bench.paper;

/**
 * A sentence of the paper about its results, and whether our runs show the same.
 *
 * @param text of the claim, with its section
 * @param paper its numbers
 * @param ours the same numbers of our runs
 * @param isHeld whether ours bear the claim out
 */
record Claim(String text, String paper, String ours, boolean isHeld) {}
