package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.spi.NodeCounter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
    private final AtomicLongArray counters = new AtomicLongArray(NodeCounter.values().length);
    private final MuninnMeters meters =
            new MuninnMeters(3, counter -> counters.get(counter.code()));

    @Test
    void everyCounter_isServedWithItsNode() throws IOException, InterruptedException {
        try (MetricsServer server = MetricsServer.start(0, meters)) {
            HttpResponse<String> response = get(server, "/metrics");

            assertEquals(200, response.statusCode());
            for (NodeCounter counter : NodeCounter.values()) {
                String name =
                        counter.meter().replace('.', '_')
                                + (counter.isTime() ? "_seconds_total" : "_total");
                assertTrue(
                        response.body().contains("\n" + name + "{node=\"3\"} 0.0\n"),
                        () -> name + " is missing in\n" + response.body());
            }
        }
    }

    @Test
    void values_areThoseOfTheMoment() throws IOException, InterruptedException {
        try (MetricsServer server = MetricsServer.start(0, meters)) {
            get(server, "/metrics");
            counters.set(NodeCounter.READ_FAULTS.code(), 17);
            counters.set(NodeCounter.FAULT_NANOS.code(), 2_500_000_000L);
            counters.set(NodeCounter.BYTES.code(), 4096);

            String body = get(server, "/metrics").body();

            assertTrue(body.contains("muninn_faults_read_total{node=\"3\"} 17.0"), body);
            assertTrue(body.contains("muninn_faults_time_seconds_total{node=\"3\"} 2.5"), body);
            assertTrue(body.contains("muninn_bytes_total{node=\"3\"} 4096.0"), body);
        }
    }

    @Test
    void portInUse_isToldWithItsNumber() throws IOException {
        try (MetricsServer server = MetricsServer.start(0, meters)) {
            IOException refused =
                    assertThrows(
                            IOException.class, () -> MetricsServer.start(server.port(), meters));

            assertTrue(refused.getMessage().contains("port " + server.port()));
            assertTrue(refused.getMessage().contains("in use"), refused.getMessage());
            IllegalArgumentException unavailable =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> MetricsServer.requireAvailable(server.port()));
            assertEquals(refused.getMessage(), unavailable.getMessage());
        }
    }

    @Test
    void otherPaths_areNotFound() throws IOException, InterruptedException {
        try (MetricsServer server = MetricsServer.start(0, meters)) {
            assertEquals(404, get(server, "/").statusCode());
            assertEquals(404, get(server, "/metrics/x").statusCode());
        }
    }

    private static HttpResponse<String> get(MetricsServer server, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
