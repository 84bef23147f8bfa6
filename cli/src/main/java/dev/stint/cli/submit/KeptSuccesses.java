package dev.stint.cli.submit;

import dev.stint.cli.list.ListComparison;
import dev.stint.cli.list.RequestedList;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.Rerun;
import dev.stint.jobs.RunAnnotations;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Sha256;
import dev.stint.model.index.IndexSet;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The successes that a Job of a list takes over from the Job that it replaces. A config map notes
 * them from before the one is removed until the other has them, so that a command which dies in
 * between loses none.
 */
final class KeptSuccesses {
  private static final String INDEXES = "indexes";
  private static final String LINES = "lines";

  /** The number of bytes that stand for a line. */
  private static final int WIDTH = 8;

  /** A config map holds 1 MiB. */
  private static final int MOST_LINES = 100_000;

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

  /**
   * Returns the indexes of the list whose lines had succeeded when a command died that had noted
   * them; null if there is no note of the same command.
   *
   * @throws UserException if the list has changed since, and is too long to find its lines again
   */
  @Nullable IndexSet noted() {
    KubeObject found = ApiCalls.find(cluster, note);
    if (found == null || !list.isSameCommand(found)) {
      return null;
    }
    JsonNode data = found.tree().path("binaryData");
    IndexSet indexes = indexes(bytes(data, INDEXES));
    if (indexes.isEmpty() || list.isSameList(found)) {
      return indexes;
    }
    byte[] lines = bytes(data, LINES);
    if (lines.length == 0) {
      throw new UserException(
          "%s: a command died while it replaced this Job, and noted %s by their positions in another list; run that list again to keep them, or all lines with --fresh"
              .formatted(
                  requested.name(), DisplayText.count(indexes.size(), "success", "successes")));
    }
    return found(indexes, lines);
  }

  /** Finds noted lines in a list that has changed since. */
  private IndexSet found(IndexSet indexes, byte[] lines) {
    Map<Integer, String> earlier = new HashMap<>();
    indexes.forEach(index ->
        earlier.put(
            index, new String(lines, earlier.size() * WIDTH, WIDTH, StandardCharsets.ISO_8859_1)));
    return ListComparison.of(
            list.items().size(),
            this::digest,
            list.positional(),
            earlier::get,
            indexes.max() + 1,
            indexes)
        .kept();
  }

  private static IndexSet indexes(byte[] bits) {
    IndexSet.Builder set = IndexSet.builder();
    BitSet.valueOf(bits).stream().forEach(set::add);
    return set.build();
  }

  private static byte[] bytes(JsonNode data, String member) {
    String text = Json.text(data, member);
    return text == null ? new byte[0] : Base64.getDecoder().decode(text);
  }

  /** Returns what stands for a line; two lines have the same one with a probability of 2⁻⁶⁴. */
  private String digest(int index) {
    byte[] whole = Sha256.of(list.items().item(index));
    return new String(whole, 0, WIDTH, StandardCharsets.ISO_8859_1);
  }

  /** Notes successes, in the place of those that are noted. */
  void note(IndexSet kept) {
    ObjectNode wanted = document(kept);
    KubeObject found = ApiCalls.find(cluster, note);
    if (found == null || !isOurs(found)) {
      ApiCalls.await(cluster.create(KubeObject.of(wanted)));
    } else if (!list.isSameList(found)
        || !wanted.path("binaryData").equals(found.tree().path("binaryData"))) {
      wanted
          .withObjectProperty("metadata")
          .put("uid", found.uid())
          .put("resourceVersion", found.resourceVersion());
      ApiCalls.await(cluster.update(KubeObject.of(wanted)));
    }
  }

  private ObjectNode document(IndexSet kept) {
    BitSet bits = new BitSet();
    StringBuilder lines = new StringBuilder();
    boolean fits = kept.size() <= MOST_LINES && list.items().size() <= MOST_LINES * WIDTH;
    kept.forEach(index -> {
      bits.set(index);
      if (fits) {
        lines.append(digest(index));
      }
    });
    ObjectNode map = Json.object();
    map.put("apiVersion", Kind.CONFIG_MAP.apiVersion()).put("kind", Kind.CONFIG_MAP.kind());
    map.putObject("metadata").put("name", note.name()).put("namespace", note.namespace());
    list.annotate(map);
    ObjectNode data = map.putObject("binaryData").put(INDEXES, text(bits.toByteArray()));
    if (fits) {
      data.put(LINES, text(lines.toString().getBytes(StandardCharsets.ISO_8859_1)));
    }
    return map;
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** True if no user made it by hand. */
  private static boolean isOurs(KubeObject found) {
    return found.annotation(RunAnnotations.EACH) != null;
  }

  void forget() {
    KubeObject found = ApiCalls.find(cluster, note);
    if (found != null && isOurs(found)) {
      ApiCalls.await(cluster.delete(note, DeleteOptions.only(found.uid())));
    }
  }

  /**
   * Creates the Job of a document with the successes that it takes over. If there are some, the Job
   * is suspended: its list may be missing yet.
   */
  KubeObject create(RunDecision.Continue decision, ObjectNode document) {
    int size = list.items().size();
    IndexSet again = IndexSet.range(0, size - 1).minus(decision.kept());
    return decision.kept().isEmpty()
        ? ApiCalls.await(cluster.create(KubeObject.of(document)))
        : Rerun.continuing(document, decision.from(), again, decision.kept())
            .createSuspended(cluster, document);
  }
}
