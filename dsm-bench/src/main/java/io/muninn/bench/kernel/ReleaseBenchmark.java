package io.muninn.bench.kernel;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * How long do the kernels and codecs of two nodes take for a release of 256 hot pages? This is the
 * work of both agents without memory and channels, which cannot be separated in a live run. The
 * garbage collector and the size of the young generation are those of agents. JMH's {@code -prof
 * gc} shows the allocation.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        jvmArgsAppend = {
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-Xmn16m"
        })
public class ReleaseBenchmark {
    private static final int PAGES = 256;

    private final KernelPair pair = new KernelPair(PAGES);

    @Benchmark
    public void release() {
        pair.release();
    }
}
