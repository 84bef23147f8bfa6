package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.ListPage;
import dev.stint.apiserver.ListQuery;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.view.ResponseRenderer;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Handles gets and lists. */
public final class ReadHandler {
  private final ApiServer api;
  private final InstantSource clock;

  public ReadHandler(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  public ApiResponse get(Call call, ObjectRef ref) {
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    Long revision = call.query().number("resourceVersion");
    if (revision != null) {
      ListParameters.reached(revision, api.registry().revision());
    }
    KubeObject object = BlockingCall.on(api.registry().get(ref));
    return rendering.one(200, object);
  }

  /**
   * @param namespace null for all
   */
  public ApiResponse list(Call call, Kind kind, @Nullable String namespace) {
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    ListParameters parameters = ListParameters.of(call.resource().fields(), call.query(), false);
    ListPage page =
        page(parameters.query(kind, namespace, api.registry().revision(), rendering.view()));
    return list(call, namespace, page, rendering);
  }

  /**
   * Returns a page of a list. Throws {@code GONE}, with a token to go on with at the newest
   * revision, if the pages before were of a revision that is forgotten.
   */
  ListPage page(ListQuery query) throws ClusterException {
    try {
      return BlockingCall.on(api.registry().list(query));
    } catch (ClusterException refusal) {
      String after = query.after();
      throw refusal.reason() == Reason.GONE && after != null
          ? ApiErrors.expired(ContinueToken.atNewest(after).token())
          : refusal;
    }
  }

  /** Returns the response for a page of a list. */
  ApiResponse list(
      Call call, @Nullable String namespace, ListPage page, ResponseRenderer rendering) {
    return rendering.list(
        call.resource(),
        page,
        metadata(page, call.query()),
        () -> api.registry().hasManagedJob(namespace, page.revision()));
  }

  static ObjectNode metadata(ListPage page, QueryParameters query) {
    ObjectNode metadata = Json.object();
    metadata.put("resourceVersion", Long.toString(page.revision()));
    String last = page.last();
    if (last != null) {
      metadata.put("continue", new ContinueToken(page.revision(), last).token());
      if (!query.has("labelSelector") && !query.has("fieldSelector")) {
        metadata.put("remainingItemCount", page.remaining());
      }
    }
    return metadata;
  }
}
