package dev.stint.bench;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobAdmission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.node.ObjectNode;

/** Measures filling in the defaults of a Job and validating it. Texts are parsed beforehand. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class AdmissionBenchmark {
  private static final String UID = "0b438bee-a7b0-44bf-8a1a-370dc60055a1";
  private static final String TYPICAL =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: pi, namespace: default, labels: {app: pi}}
      spec:
        completions: 100
        parallelism: 10
        completionMode: Indexed
        backoffLimitPerIndex: 1
        maxFailedIndexes: 5
        podFailurePolicy:
          rules:
          - {action: FailIndex, onExitCodes: {operator: In, values: [42]}}
        template:
          metadata: {labels: {app: pi}}
          spec:
            restartPolicy: Never
            volumes: [{name: work, emptyDir: {}}]
            containers:
            - name: main
              image: registry.example.com/pi:1.2
              command: [pi, --digits, "1000"]
              env: [{name: LEVEL, value: info}, {name: MODE, value: fast}]
              resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 1Gi}}
              volumeMounts: [{name: work, mountPath: /work}]
      """;
  private static final String LARGE =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: large, namespace: default}
      spec:
        completions: 1000000
        parallelism: 10
        completionMode: Indexed
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: busybox}]
      """;
  private static final int POLICY_BYTES = 64 << 10;
  private static final int COMPLETED_BYTES = 512 << 10;

  private ObjectNode typical = Json.object();
  private ObjectNode policy = Json.object();
  private ObjectNode before = Json.object();
  private ObjectNode after = Json.object();
  private String completed = "";
  private IndexSet completedIndexes = IndexSet.EMPTY;

  @Setup
  public void setUp() throws IndexSet.FormatException {
    typical = read(TYPICAL);
    policy = read(LARGE);
    policy
        .withObjectProperty("spec")
        .withObjectProperty("successPolicy")
        .putArray("rules")
        .addObject()
        .put("succeededIndexes", everyOther(POLICY_BYTES));
    before = read(LARGE);
    JobAdmission.create(before, UID, FeatureGates.DEFAULT);
    completed = everyOther(COMPLETED_BYTES);
    completedIndexes = IndexSet.parse(completed);
    after = before.deepCopy();
    ObjectNode status = after.withObjectProperty("status");
    status.put("completedIndexes", completed);
    status.put("succeeded", completedIndexes.size());
    requireSound(typicalJob());
    requireSound(successPolicyOf64KiB());
    requireSound(statusWithHalfAMebibyteOfIndexes());
  }

  /** The figure includes the copy that admission fills in. */
  @Benchmark
  public List<FieldError> typicalJob() {
    return JobAdmission.create(typical.deepCopy(), UID, FeatureGates.DEFAULT);
  }

  @Benchmark
  public List<FieldError> successPolicyOf64KiB() {
    return JobAdmission.create(policy.deepCopy(), UID, FeatureGates.DEFAULT);
  }

  @Benchmark
  public List<FieldError> statusWithHalfAMebibyteOfIndexes() {
    return JobAdmission.updateStatus(before, after, FeatureGates.DEFAULT);
  }

  @Benchmark
  public IndexSet parseHalfAMebibyte() throws IndexSet.FormatException {
    return IndexSet.parse(completed);
  }

  @Benchmark
  public String printHalfAMebibyte() {
    return completedIndexes.toString();
  }

  private static void requireSound(List<FieldError> faults) {
    if (!faults.isEmpty()) {
      throw new IllegalStateException("the measured Job must be valid: " + faults);
    }
  }

  /** Returns every other index, up to this many bytes of text. */
  private static String everyOther(int bytes) {
    String text =
        IntStream.range(0, bytes / 3)
            .map(i -> i * 2)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    return text.substring(0, text.lastIndexOf(',', bytes));
  }

  private static ObjectNode read(String text) {
    return Documents.read("bench", text.getBytes(StandardCharsets.UTF_8))
        .getFirst()
        .object()
        .copy();
  }
}
