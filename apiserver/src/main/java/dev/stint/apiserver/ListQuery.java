package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A query for a list.
 *
 * @param namespace null for all
 * @param name the only name that can match; null for any
 * @param limit the largest number of entries on a page; 0 for all
 * @param revision the revision of the list; null for the newest
 * @param after the key that the page starts after; null for the first page
 */
public record ListQuery(
    Kind kind,
    @Nullable String namespace,
    @Nullable String name,
    Predicate<KubeObject> matching,
    int limit,
    @Nullable Long revision,
    @Nullable String after) {}
