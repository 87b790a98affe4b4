/**
 * The API of Muninn's applications, and the interfaces between its own modules. A module that
 * requires this one needs no other. The nullness annotations are optional at run time.
 *
 * @uses io.muninn.api.spi.DsmProvider attaches this process to its agent, if it has one
 * @uses io.muninn.api.spi.ClusterStarter starts clusters of processes of this machine
 * @uses io.muninn.api.spi.BuiltInProgram programs that run by a short name
 */
module io.muninn.api {
    requires static org.jspecify;

    exports io.muninn.model;
    exports io.muninn.api;
    exports io.muninn.api.reduction;
    exports io.muninn.api.remote;
    exports io.muninn.api.shipping;
    exports io.muninn.api.service;
    exports io.muninn.api.spi;

    uses io.muninn.api.spi.DsmProvider;
    uses io.muninn.api.spi.ClusterStarter;
    uses io.muninn.api.spi.BuiltInProgram;
}
