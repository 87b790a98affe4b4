package io.muninn.bench.paper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * A sentence of the paper about its results, and whether our runs show the same.
 *
 * @param text of the claim, with its section before a colon
 * @param paper its numbers
 * @param ours the same numbers of our runs
 * @param isHeld whether ours bear the claim out
 */
record Claim(String text, String paper, String ours, boolean isHeld) {
    /** Claims by the section of the paper, in the order in which sections first occur. */
    static SequencedMap<String, List<Claim>> bySection(List<Claim> claims) {
        SequencedMap<String, List<Claim>> all = new LinkedHashMap<>();
        for (Claim claim : claims) {
            String section = "Section " + claim.text().split(":", 2)[0];
            all.computeIfAbsent(section, _ -> new ArrayList<>()).add(claim);
        }
        return all;
    }
}
