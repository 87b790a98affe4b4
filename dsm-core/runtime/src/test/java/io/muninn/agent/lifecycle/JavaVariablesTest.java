package io.muninn.agent.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JavaVariablesTest {
    @Test
    void hiddenVariables_areRestoredAndOthersAreKept() {
        Map<String, String> environment = new HashMap<>();
        environment.put("MUNINN_JAVA_TOOL_OPTIONS", "-XX:+UseZGC");
        environment.put("MUNINN__JAVA_OPTIONS", "-Xms512m");
        environment.put("JDK_JAVA_OPTIONS", "-ea");
        environment.put("PATH", "/bin");

        JavaVariables.restore(environment);

        assertEquals(
                Map.of(
                        "JAVA_TOOL_OPTIONS", "-XX:+UseZGC",
                        "_JAVA_OPTIONS", "-Xms512m",
                        "JDK_JAVA_OPTIONS", "-ea",
                        "PATH", "/bin"),
                environment);
    }

    @Test
    void variables_areHiddenAndOthersAreKept() {
        Map<String, String> environment = new HashMap<>();
        environment.put("JAVA_TOOL_OPTIONS", "-XX:+UseZGC");
        environment.put("MUNINN__JAVA_OPTIONS", "-Xms512m");
        environment.put("PATH", "/bin");

        JavaVariables.hide(environment);

        assertEquals(
                Map.of(
                        "MUNINN_JAVA_TOOL_OPTIONS", "-XX:+UseZGC",
                        "MUNINN__JAVA_OPTIONS", "-Xms512m",
                        "PATH", "/bin"),
                environment);
    }
}
