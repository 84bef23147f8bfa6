package dev.stint.cli.job;

import dev.stint.cli.output.ShellQuoting;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.ContainerAttemptView.State;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Timestamps;
import dev.stint.model.item.Item;
import dev.stint.model.item.ItemSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Attempts in the formats of other programs. */
final class AttemptsExport {
  private static final String CSV_HEADER =
      "index,item,attempt,pod,container,state,exit_code,signal,reason,message,started_at,"
          + "finished_at,seconds,log_bytes";

  private static final String JOBLOG_HEADER =
      "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand";

  private AttemptsExport() {}

  /** Returns comma-separated values as RFC 4180 describes them, with a header. */
  static List<String> csv(List<ContainerAttemptView> attempts, Instant now) {
    List<String> lines = new ArrayList<>(List.of(CSV_HEADER));
    attempts.forEach(each ->
        lines.add(
            Stream.of(
                    each.index(),
                    each.item(),
                    each.number(),
                    each.pod(),
                    each.container(),
                    each.stateName(),
                    each.exitCode(),
                    each.signal(),
                    each.reason(),
                    each.message(),
                    time(each.startedAt()),
                    time(each.finishedAt()),
                    seconds(each.duration(now)),
                    each.logBytes())
                .map(AttemptsExport::field)
                .collect(Collectors.joining(","))));
    return lines;
  }

  /** Returns the exit code; not 0 for an attempt whose pod failed as a whole. */
  private static int code(ContainerAttemptView attempt) {
    int code = Objects.requireNonNullElse(attempt.exitCode(), 0);
    return code == 0 && attempt.state() == State.FAILED ? 1 : code;
  }

  private static @Nullable String time(@Nullable Instant time) {
    return time == null ? null : Timestamps.format(time);
  }

  private static @Nullable String seconds(@Nullable Duration took) {
    return took == null ? null : String.format(Locale.ROOT, "%.3f", took.toMillis() / 1000.0);
  }

  private static String field(@Nullable Object value) {
    String text = Objects.toString(value, "");
    boolean plain = text.chars().noneMatch(each -> each == ',' || each == '"' || each < ' ');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /**
   * Returns the ended attempts as the log that {@code parallel --joblog} writes. Like there, NUL is
   * a line feed of a command, so that {@code --retry-failed} can run it.
   *
   * @param job null if it was deleted; then the commands are unknown
   */
  static List<String> joblog(
      List<ContainerAttemptView> attempts, @Nullable KubeObject job, Optional<JobItems> items) {
    List<String> lines = new ArrayList<>(List.of(JOBLOG_HEADER));
    for (ContainerAttemptView each : attempts) {
      Instant start = each.startedAt();
      Duration took = each.duration(Instant.EPOCH);
      if (each.hasEnded() && start != null && took != null) {
        int signal = Objects.requireNonNullElse(each.signal(), 0);
        int code = signal == 0 ? code(each) : 0;
        lines.add(
            String.format(
                Locale.ROOT,
                "%d\t:\t%.3f\t%10.3f\t0\t%d\t%d\t%d\t%s",
                each.index() == null ? each.number() : each.index() + 1L,
                start.toEpochMilli() / 1000.0,
                took.toMillis() / 1000.0,
                Objects.requireNonNullElse(each.logBytes(), 0L),
                code,
                signal,
                command(each, job, items)));
      }
    }
    return lines;
  }

  private static String command(
      ContainerAttemptView attempt, @Nullable KubeObject job, Optional<JobItems> items) {
    JsonNode container = job == null ? null : container(job, attempt.container());
    if (container == null) {
      return "";
    }
    List<String> words = new ArrayList<>();
    for (String member : List.of("command", "args")) {
      ArrayNode found = Json.arrayAt(container, member);
      if (found != null) {
        found.forEach(word -> words.add(word.stringValue("").replaceAll("\\$\\$(?=[$(])", "\\$")));
      }
    }
    Integer index = attempt.index();
    Optional<Item> item =
        index == null || !ItemSource.isItemCommand(container)
            ? Optional.empty()
            : items.flatMap(known -> known.item(index));
    return item.map(found -> ItemSource.command(words, found)).orElse(words).stream()
        .map(ShellQuoting::quoted)
        .collect(Collectors.joining(" "))
        .replace('\n', '\0');
  }

  private static @Nullable JsonNode container(KubeObject job, String name) {
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode each : job.tree().at("/spec/template/spec/" + list)) {
        if (name.equals(Json.text(each, "name"))) {
          return each;
        }
      }
    }
    return null;
  }
}
