package dev.stint.model.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldPath;
import dev.stint.model.job.JobAdmission;
import dev.stint.model.job.JobDefaults;
import dev.stint.model.pod.PrivilegedContainerRules;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Replays recorded requests to a Kubernetes 1.36 API server, and compares the answers: the code,
 * the set of causes, the admitted object.
 *
 * <p>Each floor is the share that was reached; it may rise, never fall. Rows that differ are listed
 * in {@code target/conformance/}.
 */
class RecordedAnswersTest {
  private static final Path RECORDED = Path.of("..", "conformance");
  private static final Path REPORTS = Path.of("target", "conformance");
  private static final int SHOWN = 400;

  private record Answer(int code, Set<String> causes, @Nullable JsonNode admitted) {
    static Answer of(List<FieldError> faults, int accepted, @Nullable JsonNode admitted) {
      if (faults.stream().anyMatch(fault -> fault.type().isMalformed())) {
        return new Answer(400, Set.of(), null);
      }
      Set<String> causes = new TreeSet<>();
      faults.forEach(fault -> causes.add(fault.path() + " " + fault.type().cause()));
      return causes.isEmpty()
          ? new Answer(accepted, causes, admitted)
          : new Answer(422, causes, null);
    }
  }

  @Test
  void newJobsAreAnsweredAsKubernetesAnswersThem() throws IOException {
    assertThat(agreement("create", RecordedAnswersTest::create)).isGreaterThanOrEqualTo(100.0);
  }

  @Test
  void changedJobsAreAnsweredAsKubernetesAnswersThem() throws IOException {
    assertThat(agreement("update", RecordedAnswersTest::update)).isGreaterThanOrEqualTo(100.0);
  }

  @Test
  void changedStatusesAreAnsweredAsKubernetesAnswersThem() throws IOException {
    assertThat(agreement("status", RecordedAnswersTest::updateStatus))
        .isGreaterThanOrEqualTo(100.0);
  }

  private static Answer create(ObjectNode row) {
    Document document = read(row.get("request"));
    if (!document.faults().isEmpty()) {
      return Answer.of(document.faults(), 201, null);
    }
    ObjectNode job = document.object().copy();
    ObjectNode metadata = job.withObjectProperty("metadata");
    String namespace = Json.text(metadata, "namespace");
    if (namespace != null && !namespace.equals("default")) {
      return new Answer(400, Set.of(), null);
    }
    metadata.put("namespace", "default");
    List<FieldError> faults =
        unprivileged(job, JobAdmission.create(job, "UID", FeatureGates.DEFAULT));
    metadata.remove(List.of("uid", "generation"));
    return Answer.of(faults, 201, job);
  }

  private static Answer update(ObjectNode row) {
    Document document = read(row.get("request"));
    if (!document.faults().isEmpty()) {
      return Answer.of(document.faults(), 200, null);
    }
    ObjectNode before = (ObjectNode) row.get("before");
    ObjectNode after = document.object().copy();
    List<FieldError> faults = JobAdmission.update(before, after, FeatureGates.DEFAULT);
    return Answer.of(unprivileged(after, faults), 200, null);
  }

  /** The answers are those of a server that does not allow privileged containers. */
  private static List<FieldError> unprivileged(ObjectNode job, List<FieldError> faults) {
    return PrivilegedContainerRules.with(
        faults, FieldPath.root(job).get("spec", "template", "spec"));
  }

  private static Answer updateStatus(ObjectNode row) {
    Document document = read(row.get("request"));
    if (!document.faults().isEmpty()) {
      return Answer.of(document.faults(), 200, null);
    }
    ObjectNode before = (ObjectNode) row.get("before");
    ObjectNode after = document.object().copy();
    JobDefaults.apply(after);
    return Answer.of(JobAdmission.updateStatus(before, after, FeatureGates.DEFAULT), 200, null);
  }

  private static Document read(JsonNode request) {
    return Documents.read("request", Json.bytes(request)).getFirst();
  }

  /** In percent. */
  private static double agreement(String file, Function<ObjectNode, Answer> ours)
      throws IOException {
    List<String> differing = new ArrayList<>();
    int rows = 0;
    try (BufferedReader in = open(RECORDED.resolve(file + ".jsonl.gz"))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        ObjectNode row = Json.parse(line);
        rows++;
        Answer expected = expected(row);
        Answer found = ours.apply(row);
        if (!expected.equals(found)) {
          differing.add(row.get("id").stringValue() + difference(expected, found));
        }
      }
    }
    assertThat(rows).isGreaterThan(4000);
    double agreement = 100.0 * (rows - differing.size()) / rows;
    report(file, rows, differing, agreement);
    return agreement;
  }

  private static String difference(Answer expected, Answer found) {
    StringBuilder text = new StringBuilder();
    text.append("\n  expected ").append(expected.code).append(' ').append(expected.causes);
    text.append("\n  found    ").append(found.code).append(' ').append(found.causes);
    if (expected.code == found.code && expected.causes.equals(found.causes)) {
      text.append("\n  expected ").append(expected.admitted);
      text.append("\n  found    ").append(found.admitted);
    }
    return text.toString();
  }

  private static Answer expected(ObjectNode row) {
    JsonNode answer = row.get("answer");
    Set<String> causes = new TreeSet<>();
    JsonNode recorded = Json.arrayAt(answer, "causes");
    if (recorded != null) {
      recorded.forEach(
          cause -> causes.add(cause.get(0).stringValue() + " " + cause.get(1).stringValue()));
    }
    return new Answer(answer.get("code").intValue(), causes, row.get("admitted"));
  }

  private static void report(String file, int rows, List<String> differing, double agreement)
      throws IOException {
    Files.createDirectories(REPORTS);
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: %d rows, %d differ, agreement %.3f %%"
            .formatted(file, rows, differing.size(), agreement));
    differing.stream().limit(SHOWN).forEach(lines::add);
    Files.write(REPORTS.resolve(file + ".txt"), lines);
    System.out.println(lines.getFirst());
  }

  private static BufferedReader open(Path file) throws IOException {
    return new BufferedReader(
        new InputStreamReader(
            new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8));
  }
}
