package dev.stint.apiserver.table;

import dev.stint.model.field.FieldPath;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns of workloads whose controllers run elsewhere, and of what concerns them. */
final class WorkloadColumns {
  static final List<Column> DEPLOYMENTS =
      withTemplate(
          Column.named(),
          Column.text(
              "Ready",
              "The number of ready pods, and how many are wanted.",
              o -> status(o, "readyReplicas") + "/" + wanted(o)),
          count("Up-to-date", "Pods of the newest template.", "status", "updatedReplicas"),
          count("Available", "Pods that can be used.", "status", "availableReplicas"),
          Column.age());

  static final List<Column> REPLICA_SETS =
      withTemplate(
          Column.named(),
          count("Desired", "How many pods are wanted.", "spec", "replicas"),
          count("Current", "How many pods there are.", "status", "replicas"),
          count("Ready", "How many pods are ready.", "status", "readyReplicas"),
          Column.age());

  static final List<Column> STATEFUL_SETS =
      Stream.concat(
              Stream.of(
                  Column.named(),
                  Column.text(
                      "Ready",
                      "The number of ready pods, and how many are wanted.",
                      o -> status(o, "readyReplicas") + "/" + wanted(o)),
                  Column.age()),
              PodTemplates.columns("spec").stream().limit(2))
          .toList();

  static final List<Column> DAEMON_SETS =
      withTemplate(
          Column.named(),
          count("Desired", "How many pods are wanted.", "status", "desiredNumberScheduled"),
          count("Current", "How many pods there are.", "status", "currentNumberScheduled"),
          count("Ready", "How many pods are ready.", "status", "numberReady"),
          count("Up-to-date", "Pods of the newest template.", "status", "updatedNumberScheduled"),
          count("Available", "Pods that can be used.", "status", "numberAvailable"),
          Column.text("Node Selector", "The nodes of the pods.", WorkloadColumns::nodes),
          Column.age());

  static final List<Column> POD_TEMPLATES =
      List.of(
          Column.named(),
          Column.text("Containers", "The names of the containers.", o -> each(o, "name")),
          Column.text("Images", "The images of the containers.", o -> each(o, "image")),
          Column.text(
              "Pod Labels",
              "The labels of the pods.",
              o -> labels(o.get("template", "metadata", "labels"))));

  static final List<Column> REVISIONS =
      List.of(
          Column.named(),
          Column.text("Controller", "The owner of the revision.", WorkloadColumns::controller),
          Column.number("Revision", "integer", "Its number.", o -> o.get("revision").count()),
          Column.age());

  static final List<Column> AUTOSCALERS =
      List.of(
          Column.named(),
          Column.text("Reference", "What is scaled.", WorkloadColumns::reference),
          Column.text("Targets", "What is measured.", WorkloadColumns::targets),
          Column.text(
              "MinPods",
              "The fewest pods.",
              o ->
                  o.get("spec", "minReplicas").exists()
                      ? String.valueOf(o.get("spec", "minReplicas").count())
                      : "<unset>"),
          count("MaxPods", "The most pods.", "spec", "maxReplicas"),
          count("Replicas", "How many pods there are.", "status", "currentReplicas"),
          Column.age());

  static final List<Column> BUDGETS =
      List.of(
          Column.named(),
          Column.text(
              "Min Available", "Pods that must stay.", o -> orNotApplicable(o, "minAvailable")),
          Column.text(
              "Max Unavailable", "Pods that may go.", o -> orNotApplicable(o, "maxUnavailable")),
          count("Allowed Disruptions", "Pods that may go now.", "status", "disruptionsAllowed"),
          Column.age());

  static final List<Column> RUNTIME_CLASSES =
      List.of(
          Column.named(),
          Column.text("Handler", "The name of the runtime.", o -> o.get("handler").text()),
          Column.age());

  static final List<Column> API_SERVICES =
      List.of(
          Column.named(),
          Column.text("Service", "The service behind it.", WorkloadColumns::service),
          Column.text("Available", "Whether it answers.", WorkloadColumns::available),
          Column.age());

  static final List<Column> CERTIFICATE_REQUESTS =
      List.of(
          Column.named(),
          Column.age(),
          Column.text("SignerName", "The signer.", o -> o.get("spec", "signerName").text()),
          Column.text("Requestor", "The user.", o -> o.get("spec", "username").text()),
          Column.text(
              "RequestedDuration",
              "How long the certificate is valid.",
              o -> {
                FieldPath seconds = o.get("spec", "expirationSeconds");
                return seconds.exists()
                    ? AgeFormat.human(Duration.ofSeconds(seconds.count()))
                    : Column.NONE;
              }),
          Column.text("Condition", "Its state.", WorkloadColumns::condition));

  private WorkloadColumns() {}

  private static List<Column> withTemplate(Column... columns) {
    return Stream.concat(Stream.of(columns), PodTemplates.columns("spec").stream()).toList();
  }

  private static Column count(String name, String description, String part, String member) {
    return Column.number(name, "integer", description, o -> o.get(part, member).count());
  }

  private static long status(FieldPath object, String member) {
    return object.get("status", member).count();
  }

  private static long wanted(FieldPath object) {
    return object.get("spec", "replicas").count();
  }

  private static String nodes(FieldPath set) {
    return Column.orNone(labels(set.get("spec", "template", "spec", "nodeSelector")));
  }

  private static String labels(FieldPath labels) {
    return Column.orNone(
        labels.entries().stream()
            .map(label -> label.key() + "=" + label.text())
            .sorted()
            .collect(Collectors.joining(",")));
  }

  private static String each(FieldPath template, String member) {
    return template.get("template", "spec", "containers").items().stream()
        .map(container -> container.get(member).text())
        .collect(Collectors.joining(","));
  }

  private static String controller(FieldPath revision) {
    return Column.orNone(
        revision.get("metadata", "ownerReferences").items().stream()
            .filter(owner -> owner.get("controller").isTrue())
            .map(WorkloadColumns::owner)
            .collect(Collectors.joining()));
  }

  private static String owner(FieldPath owner) {
    String apiVersion = owner.get("apiVersion").text();
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : "." + apiVersion.substring(0, slash);
    String kind = owner.get("kind").text().toLowerCase(Locale.ROOT);
    return kind + group + "/" + owner.get("name").text();
  }

  private static String reference(FieldPath scaler) {
    FieldPath target = scaler.get("spec", "scaleTargetRef");
    return target.get("kind").text() + "/" + target.get("name").text();
  }

  /** Returns the wanted values; nobody measures those that are. */
  private static String targets(FieldPath scaler) {
    return Column.orNone(
        scaler.get("spec", "metrics").items().stream()
            .map(WorkloadColumns::target)
            .collect(Collectors.joining(", ")));
  }

  private static String target(FieldPath metric) {
    FieldPath resource = metric.get("resource");
    FieldPath percent = resource.get("target", "averageUtilization");
    return resource.exists() && percent.exists()
        ? resource.get("name").text() + ": <unknown>/" + percent.count() + "%"
        : "<unknown>/<auto>";
  }

  private static String orNotApplicable(FieldPath budget, String member) {
    FieldPath amount = budget.get("spec", member);
    return amount.exists() ? amount.node().asString("") : "N/A";
  }

  private static String service(FieldPath apiService) {
    FieldPath service = apiService.get("spec", "service");
    return service.exists()
        ? service.get("namespace").text() + "/" + service.get("name").text()
        : "Local";
  }

  private static String available(FieldPath apiService) {
    return apiService.get("status", "conditions").items().stream()
        .filter(condition -> condition.get("type").text().equals("Available"))
        .map(condition ->
            condition.get("status").text().equals("True")
                ? "True"
                : "False (" + condition.get("reason").text() + ")")
        .findFirst()
        .orElse("Unknown");
  }

  private static String condition(FieldPath request) {
    List<String> types =
        request.get("status", "conditions").items().stream()
            .map(condition -> condition.get("type").text())
            .toList();
    String state =
        Stream.of("Denied", "Approved", "Failed")
            .filter(types::contains)
            .collect(Collectors.joining(","));
    return (state.isEmpty() ? "Pending" : state)
        + (request.get("status", "certificate").isEmpty() ? "" : ",Issued");
  }
}
