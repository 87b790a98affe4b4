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
    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("sensitivity.md"), markdown());
        Files.writeString(folder.resolve("sensitivity.csv"), csv());
    }

    private List<Claim> first() {
        return claims.values().iterator().next();
    }

    private String markdown() {
        StringBuilder text = new StringBuilder("| claim of the paper | paper");
        claims.keySet().forEach(setting -> text.append(" | ").append(setting));
        text.append(" |\n| --- | ---:").append(" | ---:".repeat(claims.size())).append(" |\n");
        for (Claim row : first()) {
            text.append("| ").append(row.text()).append(" | ").append(row.paper());
            for (List<Claim> ofSetting : claims.values()) {
                text.append(" | ").append(cell(ofSetting, row.text()));
            }
            text.append(" |\n");
        }
        List<String> held = new ArrayList<>();
        claims.forEach((_, all) ->
                held.add(all.stream().filter(Claim::isHeld).count() + " of " + all.size()));
        return text.append("| held | | ")
                .append(String.join(" | ", held))
                .append(" |\n")
                .toString();
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
