/**
 * Links that outlast their connections: which frames the other node may lack, which have arrived,
 * and what is sent again on the next connection. A frame is whatever the user of a link sends.
 *
 * <p>It imports nothing of Muninn, so the live transport and the simulator use it alike. Start
 * reading at {@link io.muninn.lasting.LastingLink}.
 */
@NullMarked
package io.muninn.lasting;

import org.jspecify.annotations.NullMarked;
