package io.muninn.bench.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The paper's claims beside runs on several settings of one kind of machines: {@code
 * sensitivity.md} and {@code .csv}.
 *
 * @param claims by the name of the setting; the first setting has all of them
 */
record SettingsTable(Map<String, List<Claim>> claims) {
    /** A line of the contents of the results. */
    static final String LINK =
            "* [Sensitivity](sensitivity.md): the claims on other settings of the machines\n";

    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("sensitivity.md"), markdown());
        Files.writeString(folder.resolve("sensitivity.csv"), csv());
    }

    private List<Claim> first() {
        return claims.values().iterator().next();
    }

    private String markdown() {
        StringBuilder text = new StringBuilder("[Results](results.md)\n\n# Sensitivity\n");
        Claim.bySection(first())
                .forEach((section, rows) -> {
                    text.append("\n## ").append(section).append("\n\n").append(header());
                    for (Claim row : rows) {
                        text.append("| ").append(row.text()).append(" | ").append(row.paper());
                        for (List<Claim> ofSetting : claims.values()) {
                            text.append(" | ").append(cell(ofSetting, row.text()));
                        }
                        text.append(" |\n");
                    }
                });
        text.append("\n## All\n\n").append(header());
        List<String> held = new ArrayList<>();
        claims.forEach((_, all) ->
                held.add(all.stream().filter(Claim::isHeld).count() + " of " + all.size()));
        return text.append("| held | | ")
                .append(String.join(" | ", held))
                .append(" |\n")
                .toString();
    }

    private String header() {
        String settings = String.join(" | ", claims.keySet());
        String rule = "| --- | ---:" + " | ---:".repeat(claims.size()) + " |\n";
        return "| claim of the paper | paper | " + settings + " |\n" + rule;
    }

    /** Nothing if the setting has no runs for a claim. */
    private static String cell(List<Claim> claims, String text) {
        return claims.stream()
                .filter(each -> each.text().equals(text))
                .map(each -> each.ours() + (each.isHeld() ? "" : " **no**"))
                .findFirst()
                .orElse("–");
    }

    /** One line for each claim and setting. */
    private String csv() {
        StringBuilder text = new StringBuilder("claim,setting,paper,ours,held\n");
        claims.forEach((setting, all) -> {
            for (Claim claim : all) {
                text.append('"').append(claim.text()).append("\",\"").append(setting);
                text.append("\",\"").append(claim.paper()).append("\",\"");
                text.append(claim.ours()).append("\",").append(claim.isHeld()).append('\n');
            }
        });
        return text.toString();
    }
}
