package dev.stint.apiserver.http;

import dev.stint.apiserver.ListQuery;
import dev.stint.apiserver.selector.FieldSelector;
import dev.stint.apiserver.selector.LabelSelector;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of lists and watches.
 *
 * @param matching what both selectors ask for
 * @param name the only name that can match; null where any may
 * @param limit 0 for all
 * @param position null for the first page
 * @param revision as the client gave it; null where it gave none
 * @param exact whether the revision must be exactly that
 * @param timeoutSeconds of a watch; null where the client does not care
 */
record ListParameters(
    Predicate<KubeObject> matching,
    @Nullable String name,
    int limit,
    @Nullable Position position,
    @Nullable Long revision,
    boolean exact,
    @Nullable Long timeoutSeconds,
    boolean bookmarks,
    boolean sendInitialEvents) {

  /** Throws {@code BAD_REQUEST} or {@code INVALID} where one is not what it can be. */
  static ListParameters of(Kind kind, String pinnedName, Query query, boolean watch)
      throws ClusterException {
    refuse(query, watch);
    LabelSelector labels = LabelSelector.parse(query.text("labelSelector"));
    FieldSelector fields = FieldSelector.parse(kind, query.text("fieldSelector"));
    String name = pinnedName.isEmpty() ? fields.pinnedName() : pinnedName;
    Predicate<KubeObject> matching =
        object ->
            (pinnedName.isEmpty() || object.name().equals(pinnedName))
                && labels.test(object.labels())
                && fields.test(object.tree());
    Long limit = query.number("limit");
    String token = query.text("continue");
    return new ListParameters(
        matching,
        name,
        limit == null ? 0 : (int) Math.min(limit, Integer.MAX_VALUE),
        token.isEmpty() ? null : Position.of(token),
        query.number("resourceVersion"),
        query.text("resourceVersionMatch").equals("Exact"),
        query.number("timeoutSeconds"),
        query.flag("allowWatchBookmarks"),
        query.flag("sendInitialEvents"));
  }

  private static void refuse(Query query, boolean watch) {
    String match = query.text("resourceVersionMatch");
    boolean initial = query.has("sendInitialEvents");
    List<FieldError> faults = new ArrayList<>();
    if (initial && !watch) {
      faults.add(forbidden("sendInitialEvents", "is for watches only"));
    }
    if (initial && watch && !match.equals("NotOlderThan")) {
      faults.add(
          forbidden("resourceVersionMatch", "must be NotOlderThan where sendInitialEvents is set"));
    }
    if (!match.isEmpty() && !initial) {
      if (watch) {
        faults.add(forbidden("resourceVersionMatch", "is not for watches"));
      } else if (!query.has("resourceVersion")) {
        faults.add(forbidden("resourceVersionMatch", "needs a resourceVersion"));
      } else if (query.has("continue")) {
        faults.add(forbidden("resourceVersionMatch", "is not for lists that are continued"));
      } else if (match.equals("Exact") && query.text("resourceVersion").equals("0")) {
        faults.add(forbidden("resourceVersionMatch", "Exact is not for resourceVersion 0"));
      }
    }
    if (!List.of("", "Exact", "NotOlderThan").contains(match)) {
      faults.add(
          new FieldError(
              "resourceVersionMatch",
              FieldError.Type.NOT_SUPPORTED,
              "is either Exact or NotOlderThan"));
    }
    WriteParameters.refuse("ListOptions", faults);
    if (query.has("continue") && query.has("resourceVersion")) {
      throw Bodies.bad("specifying resource version is not allowed when using continue");
    }
  }

  private static FieldError forbidden(String parameter, String why) {
    return new FieldError(parameter, FieldError.Type.FORBIDDEN, why);
  }

  /**
   * The list that is asked for. Throws {@code TIMEOUT} where it is of a revision that is yet to
   * come.
   *
   * @param newest revision so far
   */
  ListQuery query(Kind kind, @Nullable String namespace, long newest) throws ClusterException {
    if (revision != null && revision > newest) {
      throw new ClusterException(
          Reason.TIMEOUT,
          "Too large resource version: %d, current: %d".formatted(revision, newest));
    }
    Long asOf = position != null ? (Long) position.revision() : exact ? revision : null;
    return new ListQuery(
        kind, namespace, name, matching, limit, asOf, position == null ? null : position.after());
  }
}
