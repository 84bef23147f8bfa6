package dev.stint.cli.run;

import dev.stint.cli.plane.RuntimeKind;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.document.Document;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Warns of names by which pods find each other on a cluster, but not on this machine: there is no
 * DNS here, and the {@code subdomain} of pods alone decides.
 */
public final class NameWarnings {
  private static final String POD = "spec.template.spec.";

  private final RuntimeKind runtime;

  public NameWarnings(RuntimeKind runtime) {
    this.runtime = runtime;
  }

  /**
   * Returns one line for users for each such field.
   *
   * @param documents all documents of a command: a Service may be in another file than its Job
   */
  public List<String> of(List<Document> documents) {
    return switch (runtime) {
      case process -> ofServices(documents).toList();
      case container ->
          Stream.concat(
                  ofServices(documents),
                  documents.stream().filter(RequestedJob::isJob).flatMap(NameWarnings::ofNetwork))
              .toList();
      case simulated, none -> List.of();
    };
  }

  private static Stream<String> ofServices(List<Document> documents) {
    List<KubeObject> services =
        documents.stream().map(Document::object).filter(NameWarnings::isHeadless).toList();
    return documents.stream()
        .filter(RequestedJob::isJob)
        .flatMap(job ->
            services.stream()
                .filter(service -> namespace(service).equals(namespace(job.object())))
                .filter(service -> isMissed(service, job.object()))
                .map(service -> line(job, "subdomain", ofService(service, job.object()))));
  }

  private static boolean isHeadless(KubeObject object) {
    return object.apiVersion().equals("v1")
        && object.kindName().equals("Service")
        && "None".equals(Json.text(object.spec(), "clusterIP"));
  }

  private static String namespace(KubeObject object) {
    return object.namespace().isEmpty() ? "default" : object.namespace();
  }

  /** True if a Service selects the pods of a Job, which do not have its name as subdomain. */
  private static boolean isMissed(KubeObject service, KubeObject job) {
    ObjectNode selector = Json.objectAt(service.spec(), "selector");
    return selector != null
        && !selector.isEmpty()
        && !service.name().equals(Json.text(pod(job), "subdomain"))
        && matches(selector, labels(job));
  }

  /** The index is that of one pod, so it says nothing about the Job. */
  private static boolean matches(ObjectNode selector, Map<String, String> labels) {
    return selector.properties().stream()
        .allMatch(label ->
            label.getKey().equals(Names.COMPLETION_INDEX)
                || label.getValue().isString()
                    && label.getValue().stringValue().equals(labels.get(label.getKey())));
  }

  /** Returns the labels that the pods of a Job are going to have. */
  private static Map<String, String> labels(KubeObject job) {
    Map<String, String> labels = new HashMap<>();
    Json.forEachText(Json.objectAt(template(job), "metadata"), "labels", labels::put);
    labels.put(Names.JOB_NAME, job.name());
    labels.put(Names.LEGACY_JOB_NAME, job.name());
    return labels;
  }

  private static String ofService(KubeObject service, KubeObject job) {
    String subdomain = Json.text(pod(job), "subdomain");
    String mend =
        subdomain == null
            ? "set subdomain: " + service.name()
            : "use %s, or %s-0.%s for index 0".formatted(subdomain, job.name(), subdomain);
    return "Service \"%s\" selects these pods, but its name is not found on this machine; %s"
        .formatted(service.name(), mend);
  }

  private static Stream<String> ofNetwork(Document job) {
    ObjectNode pod = pod(job.object());
    if (pod == null || !Boolean.TRUE.equals(Json.bool(pod, "hostNetwork"))) {
      return Stream.of();
    }
    return Stream.of("subdomain", "hostAliases")
        .filter(pod::has)
        .map(field ->
            line(
                job,
                field,
                "has no effect with hostNetwork in containers; remove hostNetwork, or "
                    + insteadOf(field)));
  }

  private static String insteadOf(String field) {
    return field.equals("subdomain")
        ? "use localhost, since all pods share the network of this machine"
        : "add the names to /etc/hosts of this machine";
  }

  private static @Nullable ObjectNode template(KubeObject job) {
    return Json.objectAt(job.spec(), "template");
  }

  private static @Nullable ObjectNode pod(KubeObject job) {
    return Json.objectAt(template(job), "spec");
  }

  private static String line(Document job, String field, String warning) {
    String path = POD + field;
    return "%s:%d: warning: %s: %s"
        .formatted(job.sourceName(), job.lines().of(path), path, warning);
  }
}
