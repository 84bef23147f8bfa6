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
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Handles deletions, of one object and of collections. */
public final class DeleteHandler {
  private static final String ORPHANING =
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background"
          + " to remove them or set propagationPolicy=Orphan to suppress this warning";

  /** So many that one sync of the disk is for many of them; their memory is bounded below. */
  private static final int DELETIONS_AT_ONCE = 256;

  /**
   * The text of objects that are deleted at once, above which they are deleted one by one: parsed,
   * an object may take several times the memory of its text.
   */
  private static final int BYTES_AT_ONCE = 1 << 20;

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

  /**
   * Deletes the objects that a list would contain. Answers with that list as it was before if it is
   * short, else only with success: the answer would keep what is deleted until a client has read
   * it.
   */
  public ApiResponse deleteCollection(Call call, Kind kind, @Nullable String namespace)
      throws IOException {
    ResponseRenderer rendering = ResponseRenderer.of(call, clock);
    ListParameters parameters = ListParameters.of(call.resource().fields(), call.query(), false);
    DeleteParameters wanted = DeleteParameters.of(call);
    warn(call, kind, wanted);
    ListPage page =
        reads.page(parameters.query(kind, namespace, api.registry().revision(), rendering.view()));
    ApiResponse answer =
        page.length() <= ListPage.HELD_BYTES
            ? reads.list(call, namespace, page, rendering)
            : rendering.encoded(200, success(kind, ReadHandler.metadata(page, call.query())));
    delete(page.items().stream().map(item -> Target.of(kind, item)).toList(), wanted);
    return answer;
  }

  /**
   * An object to delete.
   *
   * @param length of its text in bytes
   */
  private record Target(ObjectRef ref, int length) {
    static Target of(Kind kind, ListPage.Item item) {
      KubeObject object = item.object();
      return new Target(new ObjectRef(kind, object.namespace(), object.name()), item.length());
    }
  }

  /** A deletion that has begun. It keeps nothing of its object. */
  private record Deletion(CompletableFuture<?> end, int length) {}

  /** Deletes objects, only a few at once: each of them is in memory as a whole meanwhile. */
  private void delete(List<Target> targets, DeleteParameters wanted) {
    Deque<Deletion> begun = new ArrayDeque<>();
    long bytes = 0;
    for (Target target : targets) {
      while (!begun.isEmpty()
          && (begun.size() == DELETIONS_AT_ONCE || bytes + target.length > BYTES_AT_ONCE)) {
        Deletion oldest = begun.remove();
        await(oldest.end);
        bytes -= oldest.length;
      }
      CompletableFuture<?> end = delete(target.ref, wanted).thenAccept(_ -> {});
      begun.add(new Deletion(end, target.length));
      bytes += target.length;
    }
    begun.forEach(deletion -> await(deletion.end));
  }

  /** Warns a client that deletes Jobs without setting a propagation policy for their pods. */
  private static void warn(Call call, Kind kind, DeleteParameters wanted) {
    if (wanted.propagation() == null && kind.equals(Kind.JOB)) {
      call.warnings().add(List.of(ORPHANING));
    }
  }

  /** Waits for a deletion; the object may be gone already. */
  private static void await(CompletableFuture<?> deletion) {
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

  /**
   * Returns the {@code Status} after the deletion of a collection.
   *
   * @param metadata of the list, as it says where the next page begins
   */
  private static ObjectNode success(Kind kind, ObjectNode metadata) {
    ObjectNode status = success();
    status.set("metadata", metadata);
    status.put("code", 200);
    status.putObject("details").put("kind", kind.kind());
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
