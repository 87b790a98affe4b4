package io.muninn.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves meters at {@code http://127.0.0.1:PORT/metrics} in Prometheus' text format, on the
 * loopback address only. The path {@code /} says so.
 *
 * <p><b>Threads.</b> Each request is read by a thread of its own, so that one which does not arrive
 * keeps none from its answer. They are answered one at a time, from live values, never from the
 * kernel.
 */
public final class MetricsServer implements AutoCloseable {
    private static final String PATH = "/metrics";
    private static final String ROOT = "/";
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String HINT =
            "The meters of this node are at "
                    + PATH
                    + ": its counters, histograms of waits, threads that wait now (muninn_waiters),"
                    + " and the locks that threads hold now (muninn_lock_holder).\n";
    private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int NO_BODY = -1;

    private final PrometheusMeterRegistry registry;
    private final HttpServer server;
    private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
    private final Runnable refresh;

    private MetricsServer(PrometheusMeterRegistry registry, HttpServer server, Runnable refresh) {
        this.registry = registry;
        this.refresh = refresh;
        this.server = server;
        server.setExecutor(readers);
    }

    /**
     * Starts serving.
     *
     * @param port 1 to 65535, or 0 for a free one
     * @param refresh called before each answer, to replace meters that come and go
     * @throws IOException if the port is not available; the text names it and is for the user
     */
    public static MetricsServer start(int port, Runnable refresh, MeterBinder... meters)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        HttpServer http;
        try {
            http = HttpServer.create(address, 0);
        } catch (IOException cause) {
            throw unavailable(port, cause);
        }
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        for (MeterBinder each : meters) {
            each.bindTo(registry);
        }
        MetricsServer server = new MetricsServer(registry, http, refresh);
        http.createContext(ROOT, server::answer);
        http.start();
        return server;
    }

    /**
     * Checks before a run that a port is available.
     *
     * @throws IllegalArgumentException if it is not; the text is for the user
     */
    public static void requireAvailable(int port) {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return;
        } catch (IOException cause) {
            throw new IllegalArgumentException(unavailable(port, cause).getMessage(), cause);
        }
    }

    private static IOException unavailable(int port, IOException cause) {
        return new IOException(
                "cannot serve metrics on port " + port + ": " + cause.getMessage(), cause);
    }

    /** The port in use. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        readers.shutdownNow();
        registry.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, NO_BODY);
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case PATH -> send(exchange, CONTENT_TYPE, scrape());
                case ROOT -> send(exchange, PLAIN, HINT);
                default -> exchange.sendResponseHeaders(NOT_FOUND, NO_BODY);
            }
        }
    }

    private synchronized String scrape() {
        refresh.run();
        return registry.scrape();
    }

    private static void send(HttpExchange exchange, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(OK, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
