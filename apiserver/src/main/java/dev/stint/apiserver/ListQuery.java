package dev.stint.apiserver;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
    Matching matching,
    int limit,
    @Nullable Long revision,
    @Nullable String after) {
  /** Tells which objects a list has. */
  @FunctionalInterface
  public interface Matching extends Predicate<KubeObject> {
    /**
     * Prepares objects for the test, all at once, if the test may wait for somebody else.
     *
     * @param objects made only if needed
     */
    default void prepare(Supplier<List<KubeObject>> objects) {}
  }
}
