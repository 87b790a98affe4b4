package io.muninn.doctor;

import com.google.gson.FormattingStyle;
import com.google.gson.stream.JsonWriter;
import io.muninn.agent.memory.EngineTrial;
import java.io.IOException;
import java.io.StringWriter;

/**
 * A {@link Checkup} as one JSON object.
 *
 * <pre>
 * good      whether programs run here
 * auto      null, or an object: engine, why, systemCallsWait, nanos
 * machine   an array of objects: name, level (ok, note, BAD), value, needs
 * engines   an array of objects: engine, way, works, systemCallsWait, steps
 * steps     an array of objects: step, tried, passed, result, nanos, needs
 * runs      an array of objects: command, result (ok, failed, skipped), why, nanos
 * </pre>
 */
public final class CheckupJson {
    private CheckupJson() {}

    /** Returns the object as text, ending with a newline. */
    public static String format(Checkup checkup) {
        StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text)) {
            json.setFormattingStyle(FormattingStyle.PRETTY);
            json.setSerializeNulls(true);
            write(json, checkup);
        } catch (IOException impossible) {
            throw new IllegalStateException("a string cannot be written", impossible);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonWriter json, Checkup checkup) throws IOException {
        json.beginObject();
        json.name("good").value(checkup.isGood());
        json.name("auto");
        if (checkup.choice().isEmpty()) {
            json.nullValue();
        } else {
            json.beginObject();
            json.name("engine").value(checkup.choice().get().engine());
            json.name("why").value(checkup.choice().get().why());
            json.name("systemCallsWait").value(checkup.choice().get().systemCallsWait());
            json.name("nanos").value(checkup.choiceNanos());
            json.endObject();
        }
        json.name("machine").beginArray();
        for (Finding finding : checkup.machine()) {
            json.beginObject();
            json.name("name").value(finding.name());
            json.name("level").value(finding.level().word());
            json.name("value").value(finding.value());
            json.name("needs").value(finding.needs());
            json.endObject();
        }
        json.endArray();
        json.name("engines").beginArray();
        for (EngineTrial trial : checkup.trials()) {
            write(json, trial);
        }
        json.endArray();
        json.name("runs").beginArray();
        for (SmokeRun run : checkup.runs()) {
            json.beginObject();
            json.name("command").value(run.command());
            json.name("result").value(run.result().word());
            json.name("why").value(run.why());
            json.name("nanos").value(run.nanos());
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }

    private static void write(JsonWriter json, EngineTrial trial) throws IOException {
        json.beginObject();
        json.name("engine").value(trial.engine());
        json.name("way").value(trial.way());
        json.name("works").value(trial.works());
        json.name("systemCallsWait").value(trial.systemCallsWait());
        json.name("steps").beginArray();
        for (EngineTrial.Step step : trial.steps()) {
            json.beginObject();
            json.name("step").value(step.what());
            json.name("tried").value(step.tried());
            json.name("passed").value(step.passed());
            json.name("result").value(step.result());
            json.name("nanos").value(step.nanos());
            json.name("needs").value(step.needs());
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }
}
