package dev.stint.cli.run;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.Rerun;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.index.IndexSet;
import java.util.Base64;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The successes that a Job of a list takes over from the Job that it replaces. A config map notes
 * them from before the one is removed until the other has them, so that a command which dies in
 * between loses none.
 */
final class KeptSuccesses {
  private static final String INDEXES = "indexes";

  private final Cluster cluster;
  private final RequestedJob requested;
  private final RequestedList list;
  private final ObjectRef note;

  KeptSuccesses(Cluster cluster, RequestedJob requested, RequestedList list) {
    this.cluster = cluster;
    this.requested = requested;
    this.list = list;
    this.note =
        new ObjectRef(Kind.CONFIG_MAP, requested.namespace(), requested.name() + "-kept-successes");
  }

  /** Returns the successes of the list that a command noted before it died; null for none. */
  @Nullable IndexSet noted() {
    KubeObject found = ApiCalls.find(cluster, note);
    String indexes =
        found == null || !list.isSameList(found)
            ? null
            : Json.text(found.tree().get("binaryData"), INDEXES);
    if (indexes == null) {
      return null;
    }
    IndexSet.Builder set = IndexSet.builder();
    BitSet.valueOf(Base64.getDecoder().decode(indexes)).stream().forEach(set::add);
    return set.build();
  }

  void note(IndexSet kept) {
    forget();
    BitSet bits = new BitSet();
    kept.forEach(bits::set);
    ObjectNode map = Json.object();
    map.put("apiVersion", Kind.CONFIG_MAP.apiVersion()).put("kind", Kind.CONFIG_MAP.kind());
    map.putObject("metadata").put("name", note.name()).put("namespace", note.namespace());
    list.annotate(map);
    map.putObject("binaryData")
        .put(INDEXES, Base64.getEncoder().encodeToString(bits.toByteArray()));
    ApiCalls.await(cluster.create(KubeObject.of(map)));
  }

  void forget() {
    KubeObject found = ApiCalls.find(cluster, note);
    if (found != null && found.annotation(RunAnnotations.EACH) != null) {
      ApiCalls.await(cluster.delete(note, DeleteOptions.only(found.uid())));
    }
  }

  /** Creates the Job with the successes that it takes over. */
  KubeObject create(RunDecision.Continue decision) {
    int size = list.items().size();
    IndexSet again = IndexSet.range(0, size - 1).minus(decision.kept());
    ObjectNode document = requested.toCreate().copy();
    return decision.kept().isEmpty()
        ? ApiCalls.await(cluster.create(KubeObject.of(document)))
        : Rerun.continuing(document, decision.from(), again, decision.kept())
            .create(cluster, document);
  }
}
