package dev.stint.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Jobs for tests, and their faults in short form. */
final class JobFixtures {
  static final String UID = "0b438bee-a7b0-44bf-8a1a-370dc60055a1";

  private static final String HEAD =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: pi, namespace: default}
      spec:
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: busybox}]
      """;

  private JobFixtures() {}

  /** Returns a Job as its user wrote it: one container, and these lines under {@code spec}. */
  static ObjectNode written(String... lines) {
    return read(HEAD + "  " + String.join("\n  ", lines) + "\n");
  }

  /** Returns the same Job, admitted. */
  static ObjectNode stored(String... lines) {
    ObjectNode job = written(lines);
    assertThat(JobAdmission.create(job, UID, FeatureGates.DEFAULT)).isEmpty();
    return job;
  }

  /** Returns a stored Indexed Job with ten completions, and these lines under {@code status}. */
  static ObjectNode indexedWithStatus(String... lines) {
    return withStatus(stored("completionMode: Indexed", "completions: 10"), lines);
  }

  /** Returns a copy of a Job with another status. */
  static ObjectNode withStatus(ObjectNode job, String... lines) {
    String status = "status:\n  " + (lines.length == 0 ? "{}" : String.join("\n  ", lines)) + "\n";
    ObjectNode changed = job.deepCopy();
    changed.set("status", read("apiVersion: batch/v1\nkind: Job\n" + status).get("status"));
    return changed;
  }

  /** Returns the faults of a new Job with these lines under {@code spec}, as "path Cause". */
  static List<String> faults(String... lines) {
    return causes(JobAdmission.create(written(lines), UID, FeatureGates.DEFAULT));
  }

  /** Returns the faults as "path Cause", each once. */
  static List<String> causes(List<FieldError> faults) {
    assertThat(faults).allSatisfy(fault -> assertThat(fault.detail()).isNotBlank());
    return faults.stream()
        .map(fault -> fault.path() + " " + fault.type().cause().replace("FieldValue", ""))
        .distinct()
        .sorted()
        .toList();
  }

  private static ObjectNode read(String text) {
    Document document = Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst();
    assertThat(document.faults()).isEmpty();
    return document.object().copy();
  }
}
