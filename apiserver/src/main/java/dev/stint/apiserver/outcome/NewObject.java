package dev.stint.apiserver.outcome;

import dev.stint.apiserver.patch.ManagedFieldsRules;
import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.apiserver.strategy.MetadataDefaults;
import dev.stint.apiserver.strategy.Strategy;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.document.StoredForm;
import dev.stint.model.field.FieldError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A new object in the form in which it is stored.
 *
 * @param generated true if its name was generated, so that another may be tried
 */
public record NewObject(ObjectRef ref, ObjectNode tree, boolean generated) {
  public static final String DEFAULT_NAMESPACE = "default";

  private static final Pattern REVISION = Pattern.compile("0*+[1-9][0-9]*+");

  private static final List<String> SET_BY_THE_API =
      List.of("deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "selfLink");

  /**
   * Completes and validates a document. Throws {@code BAD_REQUEST} or {@code INVALID} if it is
   * refused.
   */
  public static NewObject of(
      Strategy strategy, KubeObject wanted, NameGenerator identities, Instant now)
      throws ClusterException {
    ObjectNode object = MetadataDefaults.edit(strategy.draft(wanted.tree()));
    boolean generated = stamp(strategy, object, identities, now);
    List<FieldError> faults = new ArrayList<>(strategy.create(object));
    faults.addAll(
        ManagedFieldsRules.check(null, wanted.tree(), strategy.apiVersion(), strategy.shape()));
    String name = orEmpty(Json.text(MetadataDefaults.of(object), "name"));
    if (!faults.isEmpty()) {
      throw ApiErrors.invalid(strategy.kind(), name, faults);
    }
    String namespace = orEmpty(Json.text(MetadataDefaults.of(object), "namespace"));
    ObjectRef ref = new ObjectRef(strategy.kind(), namespace, name);
    return new NewObject(ref, StoredForm.of(object), generated);
  }

  /** True if an object names a revision. A text that is not a revision does not count. */
  public static boolean namesRevision(KubeObject wanted) {
    String version = wanted.resourceVersion();
    return !version.isEmpty() && REVISION.matcher(version).matches();
  }

  /** Sets the members that only the API sets; returns true if the name was generated. */
  private static boolean stamp(
      Strategy strategy, ObjectNode object, NameGenerator identities, Instant now) {
    ObjectNode metadata = MetadataDefaults.of(object);
    String base = orEmpty(Json.text(metadata, "generateName"));
    boolean generate = orEmpty(Json.text(metadata, "name")).isEmpty() && !base.isEmpty();
    if (generate) {
      metadata.put("name", identities.name(base));
    }
    if (!strategy.kind().namespaced()) {
      metadata.remove("namespace");
    } else if (orEmpty(Json.text(metadata, "namespace")).isEmpty()) {
      metadata.put("namespace", DEFAULT_NAMESPACE);
    }
    metadata.put("uid", identities.uid());
    metadata.put("creationTimestamp", Timestamps.format(now));
    metadata.remove(SET_BY_THE_API);
    if (strategy.hasGeneration()) {
      metadata.put("generation", 1);
    }
    return generate;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
