package dev.stint.cli.file;

import dev.stint.jobs.DisplayText;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.After.Predecessor;
import dev.stint.model.job.after.After.Until;
import dev.stint.model.job.after.AfterOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The faults of Jobs that start after each other, which no document shows alone. */
public final class AfterFaults {
  private static final String TTL = "ttlSecondsAfterFinished";

  /**
   * The seconds for which a predecessor should stay after its end: another replica of a controller
   * takes over some 20 s after one has died, and has to list the Jobs then.
   */
  private static final int SAFE_TTL = 60;

  private static final int LONGEST_LIST = 100;

  private final Map<String, Document> jobs = new HashMap<>();
  private final List<Document> inOrder;

  /**
   * @param documents all documents that belong together; other kinds than Jobs do not count
   */
  public AfterFaults(List<Document> documents) {
    this.inOrder =
        documents.stream()
            .filter(document -> document.object().kindName().equals(Kind.JOB.kind()))
            .toList();
    inOrder.forEach(
        document -> jobs.put(key(document.object(), document.object().name()), document));
  }

  /** Returns all faults except for predecessors that are not among the documents. */
  public List<String> linked() {
    return Stream.concat(
            cycle().stream(), inOrder.stream().flatMap(document -> byIndex(document).stream()))
        .toList();
  }

  /** Returns the predecessors that are not among the documents, as faults. */
  public List<String> missing() {
    return inOrder.stream()
        .flatMap(document ->
            predecessors(document)
                .filter(each -> !jobs.containsKey(key(document.object(), each.name())))
                .map(each ->
                    line(
                        document,
                        "no Job \"%s\" in these files; name the file that has it, too"
                            .formatted(each.name()))))
        .toList();
  }

  /**
   * Returns warnings of predecessors that may be deleted before anybody has seen their end, as
   * lines for users.
   */
  public List<String> warnings() {
    Map<String, List<String>> waiting = new HashMap<>();
    for (Document document : inOrder) {
      KubeObject job = document.object();
      predecessors(document)
          .map(each -> waiting.computeIfAbsent(key(job, each.name()), _ -> new ArrayList<>()))
          .forEach(names -> names.add(job.name()));
    }
    return inOrder.stream()
        .filter(document -> hasShortTtl(document.object()))
        .flatMap(document -> {
          KubeObject job = document.object();
          List<String> names = waiting.get(key(job, job.name()));
          return names == null ? Stream.of() : Stream.of(warning(document, names));
        })
        .toList();
  }

  private static boolean hasShortTtl(KubeObject job) {
    Integer ttl = Json.integer(job.spec(), TTL);
    return ttl != null && ttl < SAFE_TTL;
  }

  private static String warning(Document document, List<String> waiting) {
    return "%s:%d: warning: spec.%s: Jobs that start after this one (%s) wait for ever if it ends and is deleted while the controller that starts them is away; give it %d or more"
        .formatted(
            document.sourceName(),
            document.lines().of("spec." + TTL),
            TTL,
            DisplayText.cut(String.join(", ", waiting), LONGEST_LIST),
            SAFE_TTL);
  }

  /** Returns a fault of the annotation, as a line for users. */
  public static String line(Document document, String detail) {
    return document.describe(
        new FieldError(
            "metadata.annotations[" + After.ANNOTATION + "]", FieldError.Type.INVALID, detail));
  }

  private static Stream<Predecessor> predecessors(Document document) {
    After after = After.of(document.object());
    return after == null ? Stream.of() : after.predecessors().stream();
  }

  private static String key(KubeObject job, String name) {
    return job.namespace() + "/" + name;
  }

  private Optional<String> cycle() {
    List<Integer> cycle = AfterOrder.of(inOrder.stream().map(Document::object).toList()).cycle();
    if (cycle.isEmpty()) {
      return Optional.empty();
    }
    String names =
        Stream.concat(cycle.stream(), Stream.of(cycle.getFirst()))
            .map(position -> inOrder.get(position).object().name())
            .collect(Collectors.joining(" after "));
    return Optional.of(line(inOrder.get(cycle.getFirst()), "Jobs wait for each other: " + names));
  }

  private List<String> byIndex(Document document) {
    return predecessors(document)
        .filter(each -> each.until() == Until.INDEX)
        .flatMap(each -> {
          Document predecessor = jobs.get(key(document.object(), each.name()));
          return predecessor == null
              ? Stream.of()
              : unequal(document.object(), predecessor.object()).stream();
        })
        .map(detail -> line(document, detail))
        .toList();
  }

  private static Optional<String> unequal(KubeObject job, KubeObject predecessor) {
    if (!"Indexed".equals(Json.text(predecessor.spec(), "completionMode"))) {
      return Optional.of(
          "has =index for %s, which has no indexes; it needs completionMode Indexed"
              .formatted(predecessor.name()));
    }
    int own = Objects.requireNonNullElse(Json.integer(job.spec(), "completions"), 0);
    int others = Objects.requireNonNullElse(Json.integer(predecessor.spec(), "completions"), 0);
    return own <= others
        ? Optional.empty()
        : Optional.of(
            "has =index for %s, which has %d completions, but this Job has %d"
                .formatted(predecessor.name(), others, own));
  }
}
