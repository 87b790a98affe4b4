package io.muninn.agent.lifecycle;

import io.muninn.agent.NodeMachine;
import io.muninn.agent.calls.ReadyCall;
import io.muninn.agent.memory.EngineChoice;
import io.muninn.api.spi.Layout;
import java.util.Optional;

/**
 * The phase of a node's life cycle, with the data that exists in this phase and in no other. {@link
 * LifeCycle} changes it.
 *
 * <p>In the tables, a cell with the name of a phase is a transition; <i>malformed</i> ends the node
 * because its application broke the protocol; <i>refuse</i> closes the connection; "–" cannot
 * happen; an empty cell ignores the event.
 *
 * <pre>
 * events of the application
 *             JOIN         memory      READY       CLOSE                FAILED      exit
 * Created     –            –           –           –                    –           –
 * Choosing    –            –           –           –                    –           –
 * Starting    Declared     refuse      malformed   malformed            Failed      Ended, early
 * Declared    Declared     Attached    malformed   malformed            Failed      Ended, early
 * Attached    malformed    refuse      Joining     malformed            Over        Ended, early
 * Joining     malformed    refuse      malformed   malformed            Over        Ended: lost
 * Running     malformed    refuse      malformed   root: Concluding     finish all, Ended: lost
 *                                                  others: Closing      Over
 * Closing     malformed    refuse      malformed   malformed            finish all, Ended: lost
 *                                                                       Leaving
 * Concluding  malformed    refuse      malformed   malformed                        Ended, printed
 * Over        malformed    refuse                  answer, Leaving                  Ended, printed
 * Leaving     malformed    refuse      malformed   malformed                        Ended, printed
 * Failed                   refuse                                                   Ended, printed
 * Ended                    refuse
 *
 * events of the cluster and of the kernel; before Attached there are none
 *             started      refused,    loss        finished    finished     program  report
 *             by the root  failed                  with text   in order     error    at the root
 * Attached    –            –           –           –           –            finish   –
 *                                                                           all,
 *                                                                           Over
 * Joining     answer       answer      answer      Over        report,      finish   –
 *             READY,       READY,      READY,                  Over         all,
 *             Running      Over        Over                                 Over
 * Running     –            Over        Over        Over        report,      finish   –
 *                                                              Over         all,
 *                                                                           Over
 * Closing     –            Leaving     Leaving     Leaving     report,      finish   –
 *                                                              answer       all,
 *                                                              CLOSE,       Leaving
 *                                                              Leaving
 * Concluding                                                                         add; the
 *                                                                                    last: answer
 *                                                                                    CLOSE, Leaving
 * Over, Leaving                                                                      add
 * Ended
 *
 * events of the agent
 *                             launcher gone         application silent,  join timeout;
 *                                                   halt, broken memory  another node failed
 * Created, Choosing           –                     Ended: lost          –
 * Starting, Declared          Ended: lost           Ended: lost          Ended: failed
 * Attached                    end the application,  Ended: lost          Ended: failed
 *                             Over
 * Joining                     end the application,  Ended: lost          ignore; Ended: failed
 *                             Over
 * Running, Closing            end the application,  Ended: lost
 *                             Over or Leaving
 * Concluding, Over, Leaving,  kill the application  Ended: lost
 *   Failed                    after the exit limit
 * Ended
 * </pre>
 *
 * <p>With several processes, the phases are those of the node: it is Attached when the first
 * process has handed over the memory, and Joining, Closing or Ended when all are. A process whose
 * siblings are not as far waits; {@link Applications} has its calls. Another JOIN, READY or CLOSE
 * of the same process is malformed.
 *
 * <p>The phases from {@code Attached} to {@code Closing} are left for {@code Over}, or for {@code
 * Leaving} if the application has closed, as soon as the outcome of the run is decided. Later
 * events of the cluster change nothing: the first cause is the one that is reported. FAILED is
 * answered in every phase; other calls that an application makes while it ends are ignored.
 */
sealed interface Phase {
    /** The application's process exists. */
    sealed interface WithApplication extends Phase {
        Applications applications();
    }

    /** The application has handed over its memory. */
    sealed interface WithMemory extends WithApplication {
        NodeMachine machine();
    }

    /** The application has not handed over its memory yet. */
    sealed interface WithoutMemory extends WithApplication {
        EngineChoice choice();

        default Declared declared(Layout layout) {
            return new Declared(applications(), choice(), layout);
        }

        default Failed failed() {
            return new Failed(applications());
        }
    }

    /** The outcome of the run is open. */
    sealed interface Undecided extends WithMemory {
        default WithMemory decided() {
            return new Over(applications(), machine());
        }
    }

    /** The outcome of the run is decided; the application is expected to exit. */
    sealed interface Decided extends WithApplication {}

    /** Nothing is started. */
    record Created() implements Phase {}

    /** The application's JVM starts; meanwhile the agent tries which engine works. */
    record Choosing(Applications applications) implements WithApplication {
        Starting chosen(EngineChoice choice) {
            return new Starting(applications, choice);
        }
    }

    /** The agent waits for JOIN. */
    record Starting(Applications applications, EngineChoice choice) implements WithoutMemory {}

    /**
     * The agent waits for the application's memory.
     *
     * @param layout as it is in force in this run
     */
    record Declared(Applications applications, EngineChoice choice, Layout layout)
            implements WithoutMemory {
        Attached attached(NodeMachine machine) {
            return new Attached(applications, machine);
        }
    }

    /** The program failed before the application handed over its memory. */
    record Failed(Applications applications) implements Decided {}

    /** The agent waits for READY. */
    record Attached(Applications applications, NodeMachine machine) implements Undecided {
        Joining joining(ReadyCall ready) {
            return new Joining(applications, machine, ready);
        }
    }

    /**
     * The node joins the cluster.
     *
     * @param ready the calls that the start of the run answers
     */
    record Joining(Applications applications, NodeMachine machine, ReadyCall ready)
            implements Undecided {
        Running started() {
            return new Running(applications, machine);
        }
    }

    /** The program runs. */
    record Running(Applications applications, NodeMachine machine) implements Undecided {
        Closing closing() {
            return new Closing(applications, machine);
        }

        Concluding concluding() {
            return new Concluding(applications, machine);
        }
    }

    /** On a node other than the root, every process waits for the end of the run. */
    record Closing(Applications applications, NodeMachine machine) implements Undecided {
        @Override
        public Leaving decided() {
            return new Leaving(applications, machine);
        }
    }

    /** The root's first process has closed; the root waits for the reports of the other nodes. */
    record Concluding(Applications applications, NodeMachine machine)
            implements WithMemory, Decided {
        Leaving reported() {
            return new Leaving(applications, machine);
        }
    }

    /** Not every process has called CLOSE yet. */
    record Over(Applications applications, NodeMachine machine) implements WithMemory, Decided {
        Leaving closed() {
            return new Leaving(applications, machine);
        }
    }

    /** Every process has called CLOSE, or the run is reported. */
    record Leaving(Applications applications, NodeMachine machine) implements WithMemory, Decided {}

    /**
     * The agent ends as soon as its connections are closed.
     *
     * @param applications the processes to wait for; empty if they could not be started
     * @param status the agent's exit status
     */
    record Ended(Optional<Applications> applications, int status) implements Phase {}
}
