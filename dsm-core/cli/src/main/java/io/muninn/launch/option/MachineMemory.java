package io.muninn.launch.option;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The memory of this machine, or of this process's container. */
public final class MachineMemory {
    private MachineMemory() {}

    /**
     * The memory in bytes. The JDK reads the limits of this process's control group and of all
     * enclosing ones, for both versions of control groups.
     */
    public static long bytes() {
        return Known.BYTES;
    }

    /** Computed on first use, because it takes some milliseconds of a launcher. */
    private static final class Known {
        private static final long BYTES =
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getTotalMemorySize();
    }
}
