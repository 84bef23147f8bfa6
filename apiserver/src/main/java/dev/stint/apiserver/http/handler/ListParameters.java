package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ListQuery;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.view.CustomResourceView;
import dev.stint.apiserver.http.view.ObjectView;
import dev.stint.apiserver.selector.FieldSelector;
import dev.stint.apiserver.selector.LabelSelector;
import dev.stint.apiserver.selector.SelectableFields;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of lists and watches.
 *
 * @param matching combines both selectors
 * @param byLabels true if labels decide
 * @param byFields true if fields other than the name and the namespace decide
 * @param name the only name that can match; null for any
 * @param limit 0 for all
 * @param position null for the first page
 * @param revision as the client gave it; null if it gave none
 * @param exact true if the revision must be exactly that
 * @param timeoutSeconds of a watch; null if the client gave none
 * @param initialEvents true if a watch begins with the existing objects
 */
public record ListParameters(
    Predicate<KubeObject> matching,
    boolean byLabels,
    boolean byFields,
    @Nullable String name,
    int limit,
    @Nullable ContinueToken position,
    @Nullable Long revision,
    boolean exact,
    @Nullable Long timeoutSeconds,
    boolean bookmarks,
    boolean initialEvents) {
  private static final String MATCH = "resourceVersionMatch";
  private static final String INITIAL = "sendInitialEvents";
  private static final String EXACT = "Exact";
  private static final String NOT_OLDER = "NotOlderThan";

  /** Reads the parameters. Throws {@code BAD_REQUEST} or {@code INVALID} if one is not valid. */
  public static ListParameters of(SelectableFields selectable, QueryParameters query, boolean watch)
      throws ClusterException {
    LabelSelector labels = LabelSelector.parse(query.text("labelSelector"));
    FieldSelector fields = FieldSelector.parse(selectable, query.text("fieldSelector"));
    Long limit = query.integer("limit");
    Long timeout = query.integer("timeoutSeconds");
    List<FieldError> faults = watch ? watchFaults(query) : listFaults(query);
    WriteParameters.refuse("ListOptions", faults);
    Long revision = query.number("resourceVersion");
    String token = watch ? "" : query.text("continue");
    if (!token.isEmpty() && revision != null && revision != 0) {
      throw RequestBodies.bad("specifying resource version is not allowed when using continue");
    }
    boolean fromNow = revision == null || revision == 0;
    int most = watch || token.isEmpty() && revision != null && revision == 0 ? 0 : most(limit);
    String match = query.text(MATCH);
    return new ListParameters(
        matching(labels, fields),
        !labels.isEverything(),
        fields.readsContent(),
        fields.pinnedName(),
        most,
        token.isEmpty() ? null : ContinueToken.of(token),
        revision,
        match.equals(EXACT) || match.isEmpty() && most > 0 && !fromNow,
        timeout == null || timeout == 0 ? null : timeout,
        query.flag("allowWatchBookmarks"),
        query.names(INITIAL) ? query.flag(INITIAL) : fromNow);
  }

  /** Returns both selectors as one, for stored objects that a view shows. */
  ListQuery.Matching matching(ObjectView view) {
    boolean asShown =
        byLabels && view.isConverted() || byFields && view instanceof CustomResourceView;
    return asShown ? new AsShown(matching, view) : matching::test;
  }

  /** Selectors for objects as a view shows them. */
  private record AsShown(Predicate<KubeObject> matching, ObjectView view)
      implements ListQuery.Matching {
    @Override
    public boolean test(KubeObject kept) {
      return matching.test(view.shown(kept));
    }

    @Override
    public void prepare(Supplier<List<KubeObject>> kept) {
      view.prepare(kept);
    }
  }

  /** Returns both selectors as one, which parses no object that it need not parse. */
  private static Predicate<KubeObject> matching(LabelSelector labels, FieldSelector fields) {
    return object ->
        (labels.isEverything() || labels.test(object.labels()))
            && (fields.isEverything() || fields.test(object.tree()));
  }

  private static int most(@Nullable Long limit) {
    return limit == null ? 0 : (int) Math.clamp(limit, 0L, Integer.MAX_VALUE);
  }

  private static List<FieldError> listFaults(QueryParameters query) {
    String match = query.text(MATCH);
    List<FieldError> faults = new ArrayList<>();
    if (!match.isEmpty()) {
      if (!query.has("resourceVersion")) {
        faults.add(
            forbidden(
                MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
      }
      if (query.has("continue")) {
        faults.add(continued());
      }
      if (!List.of(EXACT, NOT_OLDER).contains(match)) {
        faults.add(unsupported(match));
      }
      if (match.equals(EXACT) && query.text("resourceVersion").equals("0")) {
        faults.add(
            forbidden(
                MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
      }
    }
    if (query.names(INITIAL)) {
      faults.add(forbidden(INITIAL, "sendInitialEvents is forbidden for list"));
    }
    return faults;
  }

  private static List<FieldError> watchFaults(QueryParameters query) {
    String match = query.text(MATCH);
    boolean initial = query.names(INITIAL);
    List<FieldError> faults = new ArrayList<>();
    if (initial && !match.equals(NOT_OLDER)) {
      faults.add(
          forbidden(
              MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    }
    if (!match.isEmpty()) {
      if (!initial) {
        faults.add(
            forbidden(
                MATCH,
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
      }
      if (!match.equals(NOT_OLDER)) {
        faults.add(unsupported(match));
      }
      if (query.has("continue")) {
        faults.add(continued());
      }
    }
    return faults;
  }

  private static FieldError continued() {
    return forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided");
  }

  private static FieldError unsupported(String match) {
    return new FieldError(
        MATCH, FieldError.Type.NOT_SUPPORTED, "must be Exact or NotOlderThan", Json.text(match));
  }

  private static FieldError forbidden(String parameter, String why) {
    return new FieldError(parameter, FieldError.Type.FORBIDDEN, why);
  }

  /**
   * Returns the query for the list. Throws {@code TIMEOUT} if its revision does not exist yet.
   *
   * @param newest the current revision
   * @param view shows the objects
   */
  ListQuery query(Kind kind, @Nullable String namespace, long newest, ObjectView view)
      throws ClusterException {
    if (revision != null) {
      reached(revision, newest);
    }
    Long asOf = position != null ? position.asOf() : exact ? revision : null;
    return new ListQuery(
        kind,
        namespace,
        name,
        matching(view),
        limit,
        asOf,
        position == null ? null : position.after());
  }

  /** Throws {@code TIMEOUT} if a revision does not exist yet. */
  public static void reached(long revision, long newest) throws ClusterException {
    if (revision > newest) {
      throw ClusterException.notReached(revision, newest);
    }
  }
}
