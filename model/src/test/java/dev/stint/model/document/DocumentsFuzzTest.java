package dev.stint.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobAdmission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Reading and admission answer any input; they never fail. {@code -Drounds=N} tries more. */
class DocumentsFuzzTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 1500);
  private static final String[] PIECES = {
    "*a",
    "&a ",
    "<<: ",
    "- ",
    "? ",
    "!!int ",
    "|",
    ">-",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "\t",
    "\n",
    "  ",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "null",
    "0x",
    "1e999",
    ".inf",
    "\uD800",
    "\u0000",
    "\uFEFF",
    "-1",
    "99999999999999999999",
    "true",
    "~",
    "#",
    "@",
    "`",
    "\\u0000"
  };
  private static final String YAML =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: pi, labels: &a {app: x}, annotations: {<<: *a}}
      spec:
        completions: 3
        parallelism: 2
        completionMode: Indexed
        backoffLimitPerIndex: 1
        successPolicy: {rules: [{succeededIndexes: "0-2", succeededCount: 1}]}
        podFailurePolicy:
          rules:
          - {action: FailIndex, onExitCodes: {operator: In, values: [1, 42]}}
        template:
          spec:
            restartPolicy: Never
            volumes: [{name: v, emptyDir: {sizeLimit: 1Gi}}]
            containers:
            - name: main
              image: busybox
              command: [sh, -c, "true"]
              resources: {requests: {cpu: 100m}}
              volumeMounts: [{name: v, mountPath: /v}]
              livenessProbe: {httpGet: {port: 80}}
      """;
  private static final String JSON =
      """
      {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "pi"}, "spec": {
       "completions": 3, "backoffLimit": 1e3, "template": {"spec": {"restartPolicy": "Never",
       "containers": [{"name": "main", "image": "x", "env": [{"name": "A", "value": "é"}]}]}}}}
      """;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void mutatedDocumentsAreAnsweredWithTreesOrFaults(long seed) {
    Random random = new Random(seed);
    int answered = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] text = mutated(random.nextBoolean() ? YAML : JSON, random);
      try {
        for (Document document : Documents.read("fuzz", text)) {
          admit(document);
        }
        answered++;
      } catch (DocumentSyntaxException expected) {
        assertThat(expected).message().startsWith("fuzz").hasLineCount(1);
        answered++;
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError(
            "seed " + seed + ", round " + round + ": " + new String(text, StandardCharsets.UTF_8),
            e);
      }
    }
    assertThat(answered).isEqualTo(ROUNDS);
  }

  /** Even a tree with faults must not break later steps. */
  private static void admit(Document document) {
    document.faults().forEach(document::describe);
    if (document.object().kindName().equals("Job")
        && document.object().apiVersion().equals("batch/v1")) {
      ObjectNode job = document.object().copy();
      List<FieldError> faults = JobAdmission.create(job, "uid", FeatureGates.DEFAULT);
      faults.forEach(document::describe);
      JobAdmission.update(job.deepCopy(), job, FeatureGates.DEFAULT);
      JobAdmission.updateStatus(job.deepCopy(), job, FeatureGates.DEFAULT);
    }
  }

  private static byte[] mutated(String text, Random random) {
    StringBuilder mutated = new StringBuilder(text);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(mutated.length());
      int end = Math.min(mutated.length(), at + random.nextInt(12));
      switch (random.nextInt(4)) {
        case 0 -> mutated.delete(at, end);
        case 1 -> mutated.insert(at, PIECES[random.nextInt(PIECES.length)]);
        case 2 -> mutated.replace(at, end, PIECES[random.nextInt(PIECES.length)]);
        default -> mutated.insert(at, mutated.substring(at, end));
      }
    }
    byte[] bytes = mutated.toString().getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(8) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }
}
