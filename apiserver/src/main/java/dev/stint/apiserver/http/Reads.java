package dev.stint.apiserver.http;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.Page;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Gets and lists. */
final class Reads {
  private final ApiServer api;
  private final InstantSource clock;

  Reads(ApiServer api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  Reply get(Call call, ObjectRef ref) {
    Rendering rendering = Rendering.of(call, clock);
    KubeObject object = Waiting.on(api.registry().get(ref));
    return rendering.one(200, object);
  }

  /**
   * @param namespace null for all
   */
  Reply list(Call call, Kind kind, @Nullable String namespace) {
    Rendering rendering = Rendering.of(call, clock);
    ListParameters parameters =
        ListParameters.of(View.of(call).kind(kind), "", call.query(), false);
    Page page =
        Waiting.on(
            api.registry().list(parameters.query(kind, namespace, api.registry().revision())));
    return rendering.list(kind, page.items(), metadata(page, call.query()));
  }

  private static ObjectNode metadata(Page page, Query query) {
    ObjectNode metadata = Json.object();
    metadata.put("resourceVersion", Long.toString(page.revision()));
    String last = page.last();
    if (last != null) {
      metadata.put("continue", new Position(page.revision(), last).token());
      if (!query.has("labelSelector") && !query.has("fieldSelector")) {
        metadata.put("remainingItemCount", page.remaining());
      }
    }
    return metadata;
  }
}
