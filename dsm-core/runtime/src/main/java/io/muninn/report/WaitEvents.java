package io.muninn.report;

import io.muninn.api.spi.RegionSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * The waits of a node's threads as events of the JDK's Flight Recorder. An agent makes them,
 * because no Java code of an application runs while its thread is stopped at a page; so they are in
 * a recording of the agent.
 *
 * <p><b>Threads.</b> Any.
 */
public final class WaitEvents implements Consumer<Wait> {
    /** The name of an event. */
    static final String NAME = "muninn.Wait";

    private final int node;
    private final IntFunction<RegionSpec> regions;

    /** One wait; the event is made when it ends. */
    @Name(NAME)
    @Label("Wait of a Thread")
    @Category("Muninn")
    @Description("A thread of a program has waited for a page, or for the answer of a call")
    @StackTrace(false)
    @SuppressWarnings("unused") // the Flight Recorder reads the fields
    private static final class WaitEvent extends Event {
        @Label("Node")
        int node;

        @Label("Thread")
        @Description("Number of the thread in its node; -1 if it is not known")
        int thread;

        @Label("Cause")
        String cause = "";

        @Label("About")
        @Description("Variable, lock, barrier, object or node")
        String about = "";

        @Label("Page")
        @Description("Index of the page in its variable; -1 for a call")
        int page;

        @Label("Waited")
        @Timespan
        long waited;
    }

    /**
     * @param node the node's id
     * @param regions the regions by index
     */
    public WaitEvents(int node, IntFunction<RegionSpec> regions) {
        this.node = node;
        this.regions = regions;
    }

    /**
     * Starts a recording of these events only.
     *
     * @param file to which it is written when it is closed
     * @throws IOException if the file cannot be written
     */
    public static Recording record(Path file) throws IOException {
        Recording recording = new Recording();
        recording.setName("muninn");
        recording.setDestination(file);
        recording.enable(WaitEvent.class).withoutThreshold();
        recording.start();
        return recording;
    }

    @Override
    public void accept(Wait wait) {
        WaitEvent event = new WaitEvent();
        event.node = node;
        event.thread = wait.thread();
        event.cause = wait.kind().word();
        event.about =
                wait.page().map(page -> regions.apply(page.region()).name()).orElse(wait.about());
        event.page = wait.page().map(page -> page.index()).orElse(-1);
        event.waited = wait.nanos();
        event.commit();
    }
}
