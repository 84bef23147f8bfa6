package dev.stint.console;

import dev.stint.cluster.ClusterException;
import dev.stint.jobs.Follower;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table, one for each object of a kind that matters, kept up to date.
 *
 * @param <T> a row
 */
final class FollowedRows<T> implements AutoCloseable {
  private final Runnable changed;
  private final Follower<Row<T>> follower;
  private final Map<String, T> rows = new HashMap<>();
  private boolean pending;

  private record Row<T>(String uid, T content) {}

  /**
   * @param row returns the row of an object; null if the object does not matter
   * @param changed runs whenever there is something to take; short
   */
  FollowedRows(
      ConsoleOptions options, Kind kind, Function<KubeObject, @Nullable T> row, Runnable changed) {
    this.changed = changed;
    this.follower = options.follower(kind, null, object -> row(object, row), new Changes());
  }

  private static <T> @Nullable Row<T> row(
      KubeObject object, Function<KubeObject, @Nullable T> row) {
    T content = row.apply(object);
    return content == null ? null : new Row<>(object.uid(), content);
  }

  /**
   * Reads all objects and follows them. Blocks.
   *
   * @throws ClusterException if the API refuses it
   */
  void start() {
    follower.start();
    markChanged();
  }

  /** Returns a future that completes once the rows are no longer kept up to date. */
  CompletableFuture<ClusterException> failure() {
    return follower.failure();
  }

  /** Makes the next call of {@link #take()} return the rows, changed or not. */
  void markChanged() {
    change(() -> {});
  }

  private void change(Runnable change) {
    synchronized (this) {
      change.run();
      pending = true;
    }
    changed.run();
  }

  /** Returns all rows if one has changed since the last call; otherwise null. */
  synchronized @Nullable List<T> take() {
    if (!pending) {
      return null;
    }
    pending = false;
    return List.copyOf(rows.values());
  }

  @Override
  public void close() {
    follower.close();
  }

  private final class Changes implements Follower.Listener<Row<T>> {
    @Override
    public void onUpdate(Row<T> row) {
      change(() -> rows.put(row.uid(), row.content()));
    }

    @Override
    public void onDelete(Row<T> last) {
      change(() -> rows.remove(last.uid()));
    }
  }
}
