package io.muninn.api.spi;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The link of a view in a run that overrides its declared protocol. Ignores advice that the
 * protocol in force does not take. Refuses updates that the declared protocol keeps atomic between
 * nodes, if the one in force merges stores: they would be lost without notice.
 *
 * @param link receives all other calls
 * @param nodes of the cluster
 * @param variable its name
 * @param declared the protocol that the run overrides
 * @param inForce the protocol that the memory follows, another one
 */
public record OverriddenLink(
        ViewLink link, int nodes, String variable, Protocol declared, Protocol inForce)
        implements ViewLink {
    /**
     * The link of a view.
     *
     * @param nodes of the cluster
     */
    public static ViewLink of(
            ViewLink link, int nodes, String variable, Protocol declared, Protocol inForce) {
        return declared == inForce
                ? link
                : new OverriddenLink(link, nodes, variable, declared, inForce);
    }

    @Override
    public boolean isOverridden() {
        return true;
    }

    @Override
    public void requireAtomic(String operation) {
        if (nodes == 1 || declared.mergesStores() || !inForce.mergesStores()) {
            return;
        }
        List<Protocol> suitable =
                Arrays.stream(Protocol.values())
                        .filter(each -> !each.mergesStores() && !each.isSealed())
                        .toList();
        throw new IllegalStateException(
                "variable "
                        + variable
                        + " is declared "
                        + declared
                        + ", and this run overrides that by "
                        + inForce
                        + ", which merges stores: "
                        + operation
                        + " would not be atomic between nodes. Override it by one of "
                        + suitable
                        + ", or not at all");
    }

    @Override
    public void prefetch(long offset, long bytes, Mode mode) {
        link.prefetch(offset, bytes, mode);
    }

    @Override
    public Optional<Protocol> protocol() {
        return link.protocol();
    }

    @Override
    public void advise(long offset, long bytes, PageAdvice advice) {
        link.advise(offset, bytes, advice);
    }

    @Override
    public int home(long offset) {
        return link.home(offset);
    }
}
