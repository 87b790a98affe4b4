package io.muninn.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a field of a program as a variable that all nodes share. The field is not static and
 * holds a {@link SharedVariable} from construction on. Its name is the variable's name on every
 * node, so two fields of a program, including inherited ones, must not have the same name.
 *
 * <p>The field may also hold an array or a {@link java.util.List} of shared variables, as many on
 * every node: the levels of a multigrid, or two buffers that change their roles. Each is a variable
 * with an index in its name, such as {@code levels[2]}. Replacing an element later declares
 * nothing.
 *
 * <p>The field may also hold a {@link RemoteVariable}, or several, of which the {@link #home}
 * applies only: another trait is refused.
 *
 * <p>A variable starts on a page of its own unless it is {@link #packed}.
 *
 * <p>Source: Munin §2.2 (annotations) and §3.2 (a variable per page by default).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Shared {
    /** How copies of the variable are kept coherent. A run may override it. */
    Protocol value() default Protocol.CONVENTIONAL;

    /**
     * The unit of coherence, in machine pages of 4 KiB: 1, 2, 4, 8 or 16. A larger unit causes
     * fewer faults and more false sharing.
     */
    int unitPages() default 1;

    /** Which node is the home of each page. Ignored under a protocol without homes. */
    Home home() default Home.BANDED;

    /**
     * True to let small variables of the same protocol, unit, home and granularity share pages.
     * This helps variables that are used together and harms those that are not.
     */
    boolean packed() default false;

    /**
     * True to compare and apply diffs byte by byte. Needed only when nodes store concurrently,
     * through a {@link java.lang.foreign.MemorySegment}, to parts of one element; costs larger
     * diffs.
     */
    boolean byteGranular() default false;
}
