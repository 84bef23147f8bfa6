package dev.stint.cli.cluster;

import dev.stint.cli.file.ImageFaults;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The reasons why {@code run} does not send valid documents to a cluster. Documents of one command
 * are compared with each other.
 */
final class ClusterRunRefusals {
  /** The kinds that are applied, all of version v1. */
  static final List<String> APPLIED =
      List.of("ConfigMap", "Secret", "ServiceAccount", "Service", "PersistentVolumeClaim");

  /** The places of the objects, by their kinds, namespaces and names. */
  private final Map<String, String> sources = new HashMap<>();

  /** Returns the reasons to refuse a document, as lines for users. */
  List<String> of(Document document) {
    KubeObject object = document.object();
    boolean job = isJob(object);
    if (!job && !(object.apiVersion().equals("v1") && APPLIED.contains(object.kindName()))) {
      return List.of(
          "%s: kind: %s is not supported; on a cluster, stint run accepts Jobs and %s; apply others with kubectl"
              .formatted(at(document), object.kindName(), String.join(", ", APPLIED)));
    }
    List<String> refusals = new ArrayList<>(nameFaults(document, job));
    if (job) {
      JsonNode spec = object.tree().at("/spec/template/spec");
      for (String list : List.of("initContainers", "containers")) {
        ImageFaults.of(spec.path(list), "spec.template.spec." + list)
            .forEach(fault -> refusals.add(document.describe(fault)));
      }
    }
    return refusals;
  }

  private static boolean isJob(KubeObject object) {
    return object.kindName().equals(Kind.JOB.kind());
  }

  private List<String> nameFaults(Document document, boolean job) {
    KubeObject object = document.object();
    String name = Json.text(object.metadata(), "name");
    if (name == null || name.isEmpty()) {
      return List.of(
          at(document)
              + ": metadata.name: is required"
              + (job ? "; stint run finds a Job by its name to follow it again" : ""));
    }
    String namespace = Json.text(object.metadata(), "namespace");
    String before = sources.put(object.kindName() + "/" + namespace + "/" + name, at(document));
    return before == null
        ? List.of()
        : List.of(
            "%s: metadata.name: %s is already used at %s; rename one"
                .formatted(at(document), name, before));
  }

  private static String at(Document document) {
    return document.sourceName() + ":" + document.line();
  }
}
