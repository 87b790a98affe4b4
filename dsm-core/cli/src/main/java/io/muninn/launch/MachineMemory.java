package io.muninn.launch;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How much memory this machine, or the container around this process, has. */
final class MachineMemory {
    private MachineMemory() {}

    /**
     * Bytes. The JDK reads the limits of this process's control group and of all that it lies in,
     * of either version of control groups.
     */
    static long bytes() {
        return Known.BYTES;
    }

    /** Looking takes a launcher some milliseconds. */
    private static final class Known {
        private static final long BYTES =
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getTotalMemorySize();
    }
}
