package dev.stint.jobs.attempts;

import dev.stint.jobs.attempts.ContainerAttemptView.State;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.runner.log.AttemptRecords;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogTree;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects all attempts of a Job: from its pods' statuses and, if they run on this machine, from
 * the records of ended attempts, which outlive pods and Job, and from the remaining logs.
 */
public final class AttemptHistory {
  private static final Pattern INDEXED_POD = Pattern.compile(".*-(\\d{1,9})-[a-z0-9]{5}");

  private static final Comparator<ContainerAttemptView> ORDER =
      Comparator.comparingInt((ContainerAttemptView attempt) ->
              attempt.index() == null ? -1 : attempt.index().intValue())
          .thenComparingInt(ContainerAttemptView::number)
          .thenComparingInt(ContainerAttemptView::run);

  private AttemptHistory() {}

  private record Key(String pod, String container, int run) {
    static Key of(ContainerAttemptView attempt) {
      return new Key(attempt.pod(), attempt.container(), attempt.run());
    }
  }

  /**
   * Finds the known attempts of a Job.
   *
   * @param job null if it was deleted; then the last Job of that name is meant
   * @param pods all existing pods of its namespace, or only its own
   * @param logs null if they are on other machines
   * @param all true to include attempts of earlier Jobs of the same name
   * @return the attempts by index, then in the order of their starts
   */
  public static List<ContainerAttemptView> find(
      String namespace,
      String name,
      @Nullable KubeObject job,
      List<KubeObject> pods,
      @Nullable LogTree logs,
      boolean all)
      throws IOException {
    return find(namespace, name, job, pods, logs, all, null);
  }

  /**
   * Finds the known attempts of one index of an Indexed Job; cheap, however many others there are.
   *
   * @param job null if it was deleted; then the last Job of that name is meant
   * @param pods the pods of the index, at least
   * @param logs null if they are on other machines
   */
  public static List<ContainerAttemptView> ofIndex(
      int index,
      String namespace,
      String name,
      @Nullable KubeObject job,
      List<KubeObject> pods,
      @Nullable LogTree logs)
      throws IOException {
    return find(namespace, name, job, pods, logs, false, index).stream()
        .filter(attempt -> Integer.valueOf(index).equals(attempt.index()))
        .toList();
  }

  private static List<ContainerAttemptView> find(
      String namespace,
      String name,
      @Nullable KubeObject job,
      List<KubeObject> pods,
      @Nullable LogTree logs,
      boolean all,
      @Nullable Integer index)
      throws IOException {
    Map<Key, ContainerAttemptView> found = new LinkedHashMap<>();
    Set<String> others = new HashSet<>();
    Path dir = logs == null ? null : jobDir(logs, namespace, name);
    if (dir != null) {
      List<ObjectNode> records =
          index == null ? AttemptRecords.read(dir) : AttemptRecords.ofIndex(dir, index);
      String last = records.isEmpty() ? null : Json.text(records.getLast(), "jobUid");
      for (ObjectNode record : records) {
        if (all || isWanted(record, job, last)) {
          ContainerAttemptView attempt = ofRecord(record);
          found.put(Key.of(attempt), attempt);
        } else {
          others.add(Objects.requireNonNullElse(Json.text(record, "pod"), ""));
        }
      }
    }
    pods.stream()
        .filter(pod -> job != null && job.uid().equals(pod.controllerUid()))
        .forEach(pod -> addPod(pod, found));
    if (dir != null) {
      Instant since = all || job == null ? null : job.creationTimestamp();
      addFiles(dir, name, index, others, since, found);
    }
    return numbered(List.copyOf(found.values()));
  }

  /**
   * Reads the records of a Job's ended pods, by their uids; the attempts are not numbered. Cheaper
   * than {@link #find}, since it reads no logs.
   */
  public static Map<String, List<ContainerAttemptView>> endedByPod(LogTree logs, KubeObject job)
      throws IOException {
    Map<String, SequencedMap<Key, ContainerAttemptView>> byPod = new LinkedHashMap<>();
    for (ObjectNode record : AttemptRecords.read(jobDir(logs, job.namespace(), job.name()))) {
      if (isWanted(record, job, null)) {
        ContainerAttemptView attempt = ofRecord(record);
        // A crash between the record and the status of the pod has recorded the end twice.
        byPod
            .computeIfAbsent(text(record, "uid"), _ -> new LinkedHashMap<>())
            .putLast(Key.of(attempt), attempt);
      }
    }
    Map<String, List<ContainerAttemptView>> found = new LinkedHashMap<>();
    byPod.forEach((uid, attempts) -> found.put(uid, List.copyOf(attempts.values())));
    return found;
  }

  /** Returns the directory of the logs of a Job's pods. */
  public static Path jobDir(LogTree logs, String namespace, String job) {
    return logs.root().resolve(LogTree.segment(namespace)).resolve(LogTree.segment(job));
  }

  private static void addPod(KubeObject pod, Map<Key, ContainerAttemptView> found) {
    String reason = Objects.requireNonNullElse(Json.text(pod.status(), "reason"), "");
    PodAttempts.of(pod)
        .forEach(attempt ->
            found.merge(Key.of(attempt), attempt, (known, pods) -> better(known, pods, reason)));
  }

  /**
   * Prefers the record of an ended attempt, which is more exact. That its pod failed as a whole may
   * be only in the pod.
   *
   * @param ofPod the reason of the whole pod; empty if it has none
   */
  private static ContainerAttemptView better(
      ContainerAttemptView known, ContainerAttemptView pods, String ofPod) {
    if (!known.hasEnded()) {
      return pods;
    }
    boolean hasOutcome = known.state() == State.SUCCEEDED || known.state() == State.FAILED;
    boolean failedWithPod = pods.state() == State.FAILED && pods.reason().equals(ofPod);
    return hasOutcome && failedWithPod && !ofPod.isEmpty()
        ? known.asFailed(pods.reason(), pods.message())
        : known;
  }

  private static boolean isWanted(
      ObjectNode record, @Nullable KubeObject job, @Nullable String last) {
    String of = Json.text(record, "jobUid");
    if (job == null) {
      return Objects.equals(of, last);
    }
    if (of != null) {
      return of.equals(job.uid());
    }
    Instant started = Timestamps.parse(Json.text(record, "startedAt"));
    Instant created = job.creationTimestamp();
    return started == null || created == null || !started.isBefore(created);
  }

  private static ContainerAttemptView ofRecord(ObjectNode record) {
    Integer run = Json.integer(record, "attempt");
    ContainerAttemptView attempt =
        ContainerAttemptView.unnumbered(
                Json.integer(record, "index"),
                text(record, "pod"),
                text(record, "container"),
                run == null ? 0 : run)
            .withItem(Json.text(record, "item"))
            .withDevices(Json.text(record, "devices"))
            .withStart(Timestamps.parse(Json.text(record, "startedAt")))
            .withEnd(
                Json.integer(record, "exitCode"),
                Json.integer(record, "signal"),
                text(record, "reason"),
                text(record, "message"),
                Timestamps.parse(Json.text(record, "finishedAt")));
    // A silent attempt may have no files. Only this flag distinguishes it from one with a removed
    // log.
    ContainerAttemptView ended =
        record.path("silent").booleanValue(false) ? attempt.withLogBytes(0) : attempt;
    return record.path("stopped").booleanValue(false)
        ? ended.withState(State.STOPPED)
        : record.path("failedWithPod").booleanValue(false) ? ended.withState(State.FAILED) : ended;
  }

  private static void addFiles(
      Path dir,
      String job,
      @Nullable Integer only,
      Set<String> others,
      @Nullable Instant since,
      Map<Key, ContainerAttemptView> found)
      throws IOException {
    Map<String, @Nullable Integer> indexes = new HashMap<>();
    found.values().forEach(attempt -> indexes.put(attempt.pod(), attempt.index()));
    for (Path pod : directories(dir)) {
      String name = pod.getFileName().toString();
      boolean known = indexes.containsKey(name);
      if (only != null && !known && !only.equals(indexOf(job, name))) {
        continue;
      }
      if (!known && (others.contains(name) || isOlder(pod, since))) {
        continue;
      }
      Integer index = known ? indexes.get(name) : indexOf(job, name);
      for (Map.Entry<String, TreeSet<Integer>> container : LogFiles.in(pod).entrySet()) {
        for (int run : container.getValue()) {
          Key key = new Key(name, container.getKey(), run);
          ContainerAttemptView plain =
              ContainerAttemptView.unnumbered(index, name, key.container(), run);
          long bytes = new LogFiles(pod, key.container(), run).readable();
          found.put(key, found.getOrDefault(key, plain).withLogBytes(bytes));
        }
      }
    }
  }

  /**
   * True if the directory is older than the Job. A directory that is gone counts as older, since
   * nothing was printed there.
   */
  private static boolean isOlder(Path pod, @Nullable Instant since) throws IOException {
    if (since == null) {
      return false;
    }
    try {
      return Files.getLastModifiedTime(pod)
          .toInstant()
          .isBefore(since.truncatedTo(ChronoUnit.SECONDS));
    } catch (NoSuchFileException gone) {
      return true;
    }
  }

  /** Parses the index from the name of a pod that no other source knows. */
  private static @Nullable Integer indexOf(String job, String pod) {
    String rest = pod.startsWith(job + "-") ? pod.substring(job.length()) : pod;
    Matcher indexed = INDEXED_POD.matcher(rest);
    return indexed.matches() ? Integer.valueOf(indexed.group(1)) : null;
  }

  private static List<Path> directories(Path dir) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(dir)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir, Files::isDirectory)) {
        entries.forEach(found::add);
      }
    }
    found.sort(Comparator.naturalOrder());
    return found;
  }

  /** One run of a whole pod: its containers with the same number of starts. */
  private record Round(String pod, int run) {}

  /** Numbers the attempts of each index in the order of their starts. */
  static List<ContainerAttemptView> numbered(List<ContainerAttemptView> attempts) {
    Map<String, Instant> starts = new HashMap<>();
    for (ContainerAttemptView attempt : attempts) {
      Instant start = attempt.startedAt();
      if (start != null) {
        starts.merge(attempt.pod(), start, (one, other) -> one.isBefore(other) ? one : other);
      }
    }
    List<ContainerAttemptView> ordered = new ArrayList<>(attempts);
    ordered.sort(
        Comparator.comparing(
            (ContainerAttemptView each) -> starts.getOrDefault(each.pod(), Instant.MAX)));
    Map<@Nullable Integer, Map<String, TreeSet<Integer>>> runs = new HashMap<>();
    for (ContainerAttemptView each : ordered) {
      runs.computeIfAbsent(each.index(), _ -> new LinkedHashMap<>())
          .computeIfAbsent(each.pod(), _ -> new TreeSet<>())
          .add(each.run());
    }
    Map<Round, Integer> numbers = new HashMap<>();
    runs.values()
        .forEach(ofIndex -> {
          int[] number = {0};
          ofIndex.forEach(
              (pod, of) -> of.forEach(run -> numbers.put(new Round(pod, run), ++number[0])));
        });
    return ordered.stream()
        .map(each ->
            each.withNumber(Objects.requireNonNull(numbers.get(new Round(each.pod(), each.run())))))
        .sorted(ORDER)
        .toList();
  }

  private static String text(ObjectNode tree, String member) {
    String found = Json.text(tree, member);
    return found == null ? "" : found;
  }
}
