package io.muninn.bench;

import com.google.gson.FormattingStyle;
import com.google.gson.stream.JsonWriter;
import io.muninn.bench.series.Measured;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalDouble;

/**
 * All rows as one JSON array in UTF-8.
 *
 * <pre>
 * name                      a string
 * pinned                    true if all processes shared one processor
 * medianMicros, p99Micros   numbers
 * floorMicros, ratio        numbers, or null where there is no floor
 * bound                     the limit of the ratio, or null without one
 * boundMicros               the limit of the median, or null without one
 * floor                     the terms of the sum that is the floor
 * samples                   a number
 * warmUp                    repetitions before the samples, or null where that is not known
 * settled                   true if the warm-up had stopped becoming faster; null like warmUp
 * messages, bytes           messages and bytes that the measuring node sent per sample
 * </pre>
 */
final class ResultsJson {
    private static final double NANOS_PER_MICRO = 1e3;

    private ResultsJson() {}

    static String text(List<Row> rows) {
        StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text)) {
            json.setFormattingStyle(FormattingStyle.PRETTY);
            json.beginArray();
            for (Row row : rows) {
                write(json, row);
            }
            json.endArray();
        } catch (IOException impossible) {
            throw new IllegalStateException("a string cannot be written", impossible);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonWriter json, Row row) throws IOException {
        json.beginObject();
        json.name("name").value(row.name());
        json.name("pinned").value(row.pinned());
        json.name("medianMicros").value(row.medianNanos() / NANOS_PER_MICRO);
        json.name("p99Micros").value(row.measured().p99Nanos() / NANOS_PER_MICRO);
        write(json, "floorMicros", row.floorNanos(), NANOS_PER_MICRO);
        write(json, "ratio", row.ratio(), 1);
        write(json, "bound", row.bound(), 1);
        write(json, "boundMicros", row.boundNanos(), NANOS_PER_MICRO);
        json.name("floor").value(row.floor());
        json.name("samples").value(row.measured().samples());
        writeWarmUp(json, row.measured().warmUp());
        json.name("messages").value(row.measured().messages());
        json.name("bytes").value(row.measured().bytes());
        json.endObject();
    }

    private static void writeWarmUp(JsonWriter json, Measured.WarmUp warmUp) throws IOException {
        json.name("warmUp");
        if (warmUp.isKnown()) {
            json.value(warmUp.operations()).name("settled").value(warmUp.settled());
        } else {
            json.nullValue().name("settled").nullValue();
        }
    }

    private static void write(JsonWriter json, String name, OptionalDouble value, double unit)
            throws IOException {
        json.name(name);
        if (value.isPresent()) {
            json.value(value.getAsDouble() / unit);
        } else {
            json.nullValue();
        }
    }
}
