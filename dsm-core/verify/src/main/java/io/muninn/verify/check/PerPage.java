package io.muninn.verify.check;

import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something for each page, made when it is first asked for.
 *
 * @param <T> what there is for a page
 */
public final class PerPage<T> {
    private final Function<PageId, T> maker;
    private final List<@Nullable Object[]> regions = new ArrayList<>(); // null until asked for

    public PerPage(Function<PageId, T> maker) {
        this.maker = maker;
    }

    @SuppressWarnings("unchecked") // only the maker's products are put in
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
