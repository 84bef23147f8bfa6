package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ApiServer;
import dev.stint.apiserver.ListPage;
import dev.stint.apiserver.Registry;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.view.ResponseRenderer;
import dev.stint.apiserver.write.WriteOptions;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Handles deletions, of one object and of collections. */
public final class DeleteHandler {
  private static final String ORPHANING =
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background"
          + " to remove them or set propagationPolicy=Orphan to suppress this warning";

  private final ApiServer api;
  private final ReadHandler reads;
  private final InstantSource clock;

  public DeleteHandler(ApiServer api, ReadHandler reads, InstantSource clock) {
    this.api = api;
    this.reads = reads;
    this.clock = clock;
  }

  public ApiResponse delete(Call call, ObjectRef ref) throws IOException {
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    DeleteParameters wanted = DeleteParameters.of(call);
    warn(call, ref.kind(), wanted);
    rendering.view().prepare(() -> List.of(BlockingCall.on(api.registry().get(ref))));
    Registry.Changed changed = BlockingCall.on(delete(ref, wanted));
    return changed.removed() && !returnsWhatItRemoves(ref.kind())
        ? rendering.encoded(200, success(ref, changed.object().uid()))
        : rendering.one(wanted.accepted() && !changed.removed() ? 202 : 200, changed.object());
  }

  /** Deletes the objects that a list would contain, and answers with that list as it was before. */
  public ApiResponse deleteCollection(Call call, Kind kind, @Nullable String namespace)
      throws IOException {
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    ListParameters parameters = ListParameters.of(call.resource().fields(), call.query(), false);
    DeleteParameters wanted = DeleteParameters.of(call);
    warn(call, kind, wanted);
    ListPage page =
        BlockingCall.on(
            api.registry()
                .list(
                    parameters.query(
                        kind, namespace, api.registry().revision(), rendering.view())));
    ApiResponse before = reads.list(call, namespace, page, rendering);
    List<CompletableFuture<Registry.Changed>> deletions =
        page.items().stream()
            .map(ListPage.Item::object)
            .map(object -> new ObjectRef(kind, object.namespace(), object.name()))
            .map(ref -> delete(ref, wanted))
            .toList();
    deletions.forEach(DeleteHandler::await);
    return before;
  }

  /** Warns a client that deletes Jobs without setting a propagation policy for their pods. */
  private static void warn(Call call, Kind kind, DeleteParameters wanted) {
    if (wanted.propagation() == null && kind.equals(Kind.JOB)) {
      call.warnings().add(List.of(ORPHANING));
    }
  }

  /** Waits for a deletion; the object may be gone already. */
  private static void await(CompletableFuture<Registry.Changed> deletion) {
    try {
      BlockingCall.on(deletion);
    } catch (ClusterException failed) {
      if (failed.reason() != Reason.NOT_FOUND) {
        throw failed;
      }
    }
  }

  private CompletableFuture<Registry.Changed> delete(ObjectRef ref, DeleteParameters wanted) {
    return api.registry()
        .delete(
            ref, wanted.preconditions(), wanted.options(), WriteOptions.PLAIN.dry(wanted.dryRun()));
  }

  private static boolean returnsWhatItRemoves(Kind kind) {
    return kind.equals(Kind.POD) || kind.equals(Kind.SERVICE_ACCOUNT);
  }

  private static ObjectNode success(ObjectRef ref, String uid) {
    ObjectNode status = success();
    ObjectNode details = status.putObject("details");
    details.put("name", ref.name());
    if (!ref.kind().group().isEmpty()) {
      details.put("group", ref.kind().group());
    }
    details.put("kind", ref.kind().plural());
    details.put("uid", uid);
    return status;
  }

  /** Returns a {@code Status} that reports success. */
  public static ObjectNode success() {
    ObjectNode status = Json.object();
    status.put("kind", "Status");
    status.put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Success");
    return status;
  }
}
