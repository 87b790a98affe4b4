package io.muninn.verify.check;

import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value for each page, created when it is first requested.
 *
 * @param <T> the type of the values
 */
public final class PerPage<T> {
    private final Function<PageId, T> maker;
    private final List<@Nullable Object[]> regions = new ArrayList<>(); // null until requested

    public PerPage(Function<PageId, T> maker) {
        this.maker = maker;
    }

    @SuppressWarnings("unchecked") // contains only values of the maker
    public T of(PageId page) {
        while (regions.size() <= page.region()) {
            regions.add(new Object[1]);
        }
        @Nullable Object[] made = regions.get(page.region());
        if (page.index() >= made.length) {
            made = Arrays.copyOf(made, Math.max(page.index() + 1, 2 * made.length));
            regions.set(page.region(), made);
        }
        Object present = made[page.index()];
        if (present == null) {
            present = maker.apply(page);
            made[page.index()] = present;
        }
        return (T) present;
    }
}
