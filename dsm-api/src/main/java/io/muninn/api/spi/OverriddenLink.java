package io.muninn.api.spi;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The link of a view whose declared protocol keeps updates atomic between nodes, in a run that
 * overrides it by one that merges stores. It refuses such updates: they would be lost without
 * notice.
 *
 * @param link all else is asked of it
 * @param variable its name
 * @param declared the protocol that the run overrides
 * @param inForce the protocol that the memory follows
 */
public record OverriddenLink(ViewLink link, String variable, Protocol declared, Protocol inForce)
        implements ViewLink {
    /**
     * The link of a view.
     *
     * @param nodes of the cluster
     */
    public static ViewLink of(
            ViewLink link, int nodes, String variable, Protocol declared, Protocol inForce) {
        boolean isWeaker = inForce.mergesStores() && !declared.mergesStores();
        return nodes > 1 && isWeaker ? new OverriddenLink(link, variable, declared, inForce) : link;
    }

    @Override
    public void requireAtomic(String operation) {
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
