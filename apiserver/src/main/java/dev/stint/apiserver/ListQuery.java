package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What to list.
 *
 * @param namespace null for all
 * @param name of the only object that can match; null where any may
 * @param limit how many at most on a page; 0 for all
 * @param revision as of which; null for the newest
 * @param after the key that the page goes on from; null for the first page
 */
public record ListQuery(
    Kind kind,
    @Nullable String namespace,
    @Nullable String name,
    Predicate<KubeObject> matching,
    int limit,
    @Nullable Long revision,
    @Nullable String after) {}
