package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.WaiterId;
import io.muninn.waits.Hold;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
    private final AtomicLongArray counters = new AtomicLongArray(NodeCounter.values().length);
    private final MuninnMeters meters =
            new MuninnMeters(3, counter -> counters.get(counter.code()));

    @Test
    void everyCounter_isServedWithItsNode() throws IOException, InterruptedException {
        try (MetricsServer server = MetricsServer.start(0, () -> {}, meters)) {
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
        try (MetricsServer server = MetricsServer.start(0, () -> {}, meters)) {
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
        try (MetricsServer server = MetricsServer.start(0, () -> {}, meters)) {
            IOException refused =
                    assertThrows(
                            IOException.class,
                            () -> MetricsServer.start(server.port(), () -> {}, meters));

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
    void requestThatDoesNotArrive_keepsNoneFromItsAnswer()
            throws IOException, InterruptedException {
        try (MetricsServer server = MetricsServer.start(0, () -> {}, meters);
                Socket half = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            half.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
            half.getOutputStream().flush();

            assertEquals(200, get(server, "/metrics").statusCode());
        }
    }

    @Test
    void otherPaths_areNotFound() throws IOException, InterruptedException {
        try (MetricsServer server = MetricsServer.start(0, () -> {}, meters)) {
            assertEquals(404, get(server, "/metric").statusCode());
            assertEquals(404, get(server, "/metrics/x").statusCode());
        }
    }

    @Test
    void root_saysWhereTheMetersAre() throws IOException, InterruptedException {
        try (MetricsServer server = MetricsServer.start(0, () -> {}, meters)) {
            HttpResponse<String> response = get(server, "/");

            assertEquals(200, response.statusCode());
            assertTrue(response.body().contains("/metrics"), response.body());
        }
    }

    @Test
    void waits_areServedByVariableAndCause() throws IOException, InterruptedException {
        WaitMeters waits = new WaitMeters(3);
        try (MetricsServer server = MetricsServer.start(0, () -> {}, meters, waits)) {
            waits.use(List.of(Reports.GRID)::get);
            waits.begin(WaitKind.STORE);
            waits.begin(WaitKind.STORE);
            waits.begin(WaitKind.LOCK);
            waits.accept(Wait.atPage(0, new PageId(0, 2), true, 0, 40_000));
            waits.accept(
                    Wait.inCall(
                            new Event.AcquireCalled(
                                    new WaiterId(MappingId.FIRST, 0), new LockId("L"), -1),
                            0,
                            2_000_000));

            String body = get(server, "/metrics").body();

            String fault = "cause=\"store\",node=\"3\",protocol=\"write-shared\",variable=\"grid\"";
            assertLine("muninn_waiters{cause=\"store\",node=\"3\"} 1.0", body);
            assertLine("muninn_waiters{cause=\"lock\",node=\"3\"} 0.0", body);
            assertLine("muninn_fault_duration_seconds_count{" + fault + "} 1", body);
            assertLine("muninn_fault_duration_seconds_bucket{" + fault + ",le=\"3.0E-5\"} 0", body);
            assertLine("muninn_fault_duration_seconds_bucket{" + fault + ",le=\"1.0E-4\"} 1", body);
            assertLine("muninn_wait_duration_seconds_sum{cause=\"lock\",node=\"3\"} 0.002", body);
        }
    }

    @Test
    void locks_areServedWithTheirHolders_asTheyAreNow() throws IOException, InterruptedException {
        WaitMeters waits = new WaitMeters(3);
        List<WaitMeters.Holder> now = new ArrayList<>();
        try (MetricsServer server = MetricsServer.start(0, () -> waits.hold(now), waits)) {
            assertLine("muninn_locks_held{node=\"3\"} 0.0", get(server, "/metrics").body());

            now.add(new WaitMeters.Holder(1, new Hold(Hold.Mode.LOCK, "L")));
            now.add(new WaitMeters.Holder(2, new Hold(Hold.Mode.READ, "table")));
            String first = get(server, "/metrics").body();
            now.removeFirst();
            String second = get(server, "/metrics").body();
            for (int i = 0; i < 100; i++) {
                now.add(new WaitMeters.Holder(0, new Hold(Hold.Mode.WRITE, "lock " + i)));
            }
            String many = get(server, "/metrics").body();

            String one = "muninn_lock_holder{lock=\"L\",mode=\"lock\",node=\"3\",thread=\"1\"} 1.0";
            assertLine(one, first);
            assertFalse(second.contains("lock=\"L\""), second);
            assertLine(
                    "muninn_lock_holder{lock=\"table\",mode=\"read\",node=\"3\",thread=\"2\"} 1.0",
                    second);
            assertLine("muninn_locks_held{node=\"3\"} 101.0", many);
            assertEquals(
                    64,
                    many.lines().filter(line -> line.startsWith("muninn_lock_holder{")).count());
        }
    }

    private static void assertLine(String line, String body) {
        assertTrue(body.lines().anyMatch(line::equals), () -> line + " is missing in\n" + body);
    }

    private static HttpResponse<String> get(MetricsServer server, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
