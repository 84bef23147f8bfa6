package dev.stint.cli.file;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A headless service or a persistent volume claim from the same files as Jobs. Nothing has to be
 * made of them: the runner finds pods by their {@code subdomain}, and makes the directory of a
 * claim when a pod mounts it.
 */
public final class ServiceOrClaim {
  private static final String CLAIM = "PersistentVolumeClaim";

  private ServiceOrClaim() {}

  /** True if a document is a service, headless or not, or a claim. */
  public static boolean isOne(Document document) {
    KubeObject object = document.object();
    return object.apiVersion().equals("v1")
        && List.of("Service", CLAIM).contains(object.kindName());
  }

  /**
   * Returns what cannot be read of a document; its kind is known here, although it is not stored.
   */
  static List<FieldError> faults(Document document) {
    return document.faults().stream().filter(fault -> !fault.path().equals("kind")).toList();
  }

  /** Returns why a document does not work here; empty if it does. */
  public static List<FieldError> refusals(Document document) {
    ObjectNode spec = document.object().spec();
    return document.object().kindName().equals(CLAIM) ? ofClaim(spec) : ofService(spec);
  }

  private static List<FieldError> ofService(@Nullable ObjectNode spec) {
    return "None".equals(Json.text(spec, "clusterIP"))
        ? List.of()
        : List.of(
            refused(
                "clusterIP",
                "must be None; services have no addresses here, and pods find each other by their"
                    + " subdomain"));
  }

  private static List<FieldError> ofClaim(@Nullable ObjectNode spec) {
    List<FieldError> faults = new ArrayList<>();
    if ("Block".equals(Json.text(spec, "volumeMode"))) {
      faults.add(refused("volumeMode", "must be Filesystem; a claim is a directory here"));
    }
    for (String source : List.of("dataSource", "dataSourceRef")) {
      if (Json.objectAt(spec, source) != null) {
        faults.add(
            refused(
                source,
                "nothing here makes copies of volumes; name a directory with --volume-dir"));
      }
    }
    return faults;
  }

  private static FieldError refused(String field, String why) {
    return new FieldError("spec." + field, FieldError.Type.NOT_SUPPORTED, why);
  }
}
