package io.muninn.kernel;

import java.util.ArrayList;
import java.util.List;

/** The difference of two texts, line by line. */
final class TranscriptDifference {
    private static final int CONTEXT_LINES = 3;

    /** A line of both texts, or of one. */
    private record Line(char mark, int number, String text) {
        boolean isCommon() {
            return mark == ' ';
        }
    }

    private TranscriptDifference() {}

    /**
     * The lines that differ, with a few lines around them: - marks expected lines, + found ones.
     *
     * @return empty if nothing differs
     */
    static String between(String expected, String found) {
        List<Line> lines = compare(expected.lines().toList(), found.lines().toList());
        StringBuilder text = new StringBuilder();
        int shown = -2; // none yet, and none before the first
        for (int i = 0; i < lines.size(); i++) {
            if (isNearADifference(lines, i)) {
                if (shown != i - 1) {
                    text.append("  line ").append(lines.get(i).number()).append(":\n");
                }
                text.append(lines.get(i).mark()).append(lines.get(i).text()).append('\n');
                shown = i;
            }
        }
        return text.toString();
    }

    private static boolean isNearADifference(List<Line> lines, int index) {
        int first = Math.max(0, index - CONTEXT_LINES);
        int end = Math.min(lines.size(), index + CONTEXT_LINES + 1);
        return lines.subList(first, end).stream().anyMatch(line -> !line.isCommon());
    }

    /** Compares along a longest common subsequence. */
    private static List<Line> compare(List<String> expected, List<String> found) {
        int[][] common = new int[expected.size() + 1][found.size() + 1]; // of the remaining lines
        for (int i = expected.size() - 1; i >= 0; i--) {
            for (int j = found.size() - 1; j >= 0; j--) {
                common[i][j] =
                        expected.get(i).equals(found.get(j))
                                ? common[i + 1][j + 1] + 1
                                : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        List<Line> lines = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < expected.size() || j < found.size()) {
            boolean bothLeft = i < expected.size() && j < found.size();
            if (bothLeft && expected.get(i).equals(found.get(j))) {
                lines.add(new Line(' ', i + 1, expected.get(i)));
                i++;
                j++;
            } else if (j == found.size() || (bothLeft && common[i + 1][j] >= common[i][j + 1])) {
                lines.add(new Line('-', i + 1, expected.get(i)));
                i++;
            } else {
                lines.add(new Line('+', i + 1, found.get(j)));
                j++;
            }
        }
        return lines;
    }
}
