package io.muninn.agent.lifecycle;

import io.muninn.agent.NodeMachine;
import io.muninn.agent.calls.CallConnection;
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
 * <p>The phases from {@code Attached} to {@code Closing} are left for {@code Over}, or for {@code
 * Leaving} if the application has closed, as soon as the outcome of the run is decided. Later
 * events of the cluster change nothing: the first cause is the one that is reported. FAILED is
 * answered in every phase; other calls that an application makes while it ends are ignored.
 */
sealed interface Phase {
    /** The application's process exists. */
    sealed interface WithApplication extends Phase {
        ApplicationProcess application();
    }

    /** The application has handed over its memory. */
    sealed interface WithMemory extends WithApplication {
        NodeMachine machine();
    }

    /** The application has not handed over its memory yet. */
    sealed interface WithoutMemory extends WithApplication {
        EngineChoice choice();

        default Declared declared(Layout layout) {
            return new Declared(application(), choice(), layout);
        }

        default Failed failed() {
            return new Failed(application());
        }
    }

    /** The outcome of the run is open. */
    sealed interface Undecided extends WithMemory {
        default WithMemory decided() {
            return new Over(application(), machine());
        }
    }

    /** The outcome of the run is decided; the application is expected to exit. */
    sealed interface Decided extends WithApplication {}

    /** Nothing is started. */
    record Created() implements Phase {}

    /** The application's JVM starts; meanwhile the agent tries which engine works. */
    record Choosing(ApplicationProcess application) implements WithApplication {
        Starting chosen(EngineChoice choice) {
            return new Starting(application, choice);
        }
    }

    /** The agent waits for JOIN. */
    record Starting(ApplicationProcess application, EngineChoice choice) implements WithoutMemory {}

    /**
     * The agent waits for the application's memory.
     *
     * @param layout as it is in force in this run
     */
    record Declared(ApplicationProcess application, EngineChoice choice, Layout layout)
            implements WithoutMemory {
        Attached attached(NodeMachine machine) {
            return new Attached(application, machine);
        }
    }

    /** The program failed before the application handed over its memory. */
    record Failed(ApplicationProcess application) implements Decided {}

    /** The agent waits for READY. */
    record Attached(ApplicationProcess application, NodeMachine machine) implements Undecided {
        Joining joining(ReadyCall ready) {
            return new Joining(application, machine, ready);
        }
    }

    /**
     * The node joins the cluster.
     *
     * @param ready the call that the start of the run answers
     */
    record Joining(ApplicationProcess application, NodeMachine machine, ReadyCall ready)
            implements Undecided {
        Running started() {
            return new Running(application, machine);
        }
    }

    /** The program runs. */
    record Running(ApplicationProcess application, NodeMachine machine) implements Undecided {
        Closing closing(CallConnection caller) {
            return new Closing(application, machine, caller);
        }

        Concluding concluding(CallConnection caller) {
            return new Concluding(application, machine, caller);
        }
    }

    /**
     * On a node other than the root, the application waits for the end of the run.
     *
     * @param caller made the call that the end of the run answers
     */
    record Closing(ApplicationProcess application, NodeMachine machine, CallConnection caller)
            implements Undecided {
        @Override
        public Leaving decided() {
            return new Leaving(application, machine);
        }
    }

    /**
     * The root waits for the reports of the other nodes.
     *
     * @param caller made the call that the last report answers
     */
    record Concluding(ApplicationProcess application, NodeMachine machine, CallConnection caller)
            implements WithMemory, Decided {
        Leaving reported() {
            return new Leaving(application, machine);
        }
    }

    /** The application has not called CLOSE yet. */
    record Over(ApplicationProcess application, NodeMachine machine)
            implements WithMemory, Decided {
        Leaving closed() {
            return new Leaving(application, machine);
        }
    }

    /** The application has called CLOSE. */
    record Leaving(ApplicationProcess application, NodeMachine machine)
            implements WithMemory, Decided {}

    /**
     * The agent ends as soon as its connections are closed.
     *
     * @param application the process to wait for; empty if it could not be started
     * @param status the agent's exit status
     */
    record Ended(Optional<ApplicationProcess> application, int status) implements Phase {}
}
