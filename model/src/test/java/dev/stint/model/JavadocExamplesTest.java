package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.cron.CronJobAdmission;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobAdmission;
import dev.stint.model.job.JobDefaults;
import dev.stint.model.job.JobStatusValidation;
import dev.stint.model.job.JobUpdateValidation;
import dev.stint.model.job.JobValidation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The examples in the Javadoc of the entry points compile, and do what they say. */
class JavadocExamplesTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: pi}
      spec:
        parallelism: -1
        template:
          spec:
            restartPolicy: Never
            containers: [{name: main, image: busybox}]
      """;

  /** {@link JobAdmission}, {@link Documents}. */
  @Test
  void aJobFromAFileIsCheckedWithoutAServer() {
    byte[] bytes = JOB.getBytes(StandardCharsets.UTF_8);
    List<String> told = new ArrayList<>();
    Document document = Documents.read("job.yaml", bytes).getFirst();
    List<FieldError> faults = document.faults();
    if (faults.isEmpty()) {
      ObjectNode job = document.object().copy();
      job.withObjectProperty("metadata").put("namespace", "default");
      faults = JobAdmission.create(job, UUID.randomUUID().toString(), FeatureGates.DEFAULT);
    }
    faults.forEach(fault -> told.add(document.describe(fault)));
    assertThat(told)
        .containsExactly("job.yaml:5: spec.parallelism: -1 must be greater than or equal to 0");
  }

  /** {@link JobDefaults}, {@link JobValidation}, and the rules of changes. */
  @Test
  void aJobIsGivenItsDefaultsAndValidatedInSteps() {
    ObjectNode job = read(JOB.replace("-1", "1"));
    String uid = UUID.randomUUID().toString();
    job.withObjectProperty("metadata").put("namespace", "default").put("uid", uid);
    JobDefaults.generate(job, uid);
    JobDefaults.apply(job);
    assertThat(job.at("/spec/backoffLimit").intValue()).isEqualTo(6);
    assertThat(JobValidation.create(job, FeatureGates.DEFAULT)).isEmpty();
    job.withObjectProperty("metadata").put("resourceVersion", "1");
    ObjectNode wanted = job.deepCopy();
    wanted.withObjectProperty("spec").put("completionMode", "Indexed");
    assertThat(JobUpdateValidation.update(job, wanted, FeatureGates.DEFAULT))
        .extracting(FieldError::path)
        .contains("spec.completionMode");
    ObjectNode status = job.deepCopy();
    status.withObjectProperty("status").put("active", -1);
    assertThat(JobStatusValidation.update(job, status, FeatureGates.DEFAULT))
        .extracting(FieldError::toString)
        .contains("status.active: -1 must be greater than or equal to 0");
  }

  /** {@link CronJobAdmission}. */
  @Test
  void aCronJobIsAdmittedWithItsDefaults() {
    ObjectNode cronJob =
        read(
            """
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: nightly, namespace: default}
            spec:
              schedule: "30 2 * * *"
              jobTemplate:
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: busybox}]
            """);
    assertThat(CronJobAdmission.create(cronJob, FeatureGates.DEFAULT)).isEmpty();
    assertThat(cronJob.at("/spec/concurrencyPolicy").stringValue()).isEqualTo("Allow");
  }

  /** {@link FeatureGates}. */
  @Test
  void aGateIsTurnedOff() {
    FeatureGates gates = FeatureGates.DEFAULT.with(Gate.JobManagedBy, false);
    assertThat(gates.has(Gate.JobManagedBy)).isFalse();
  }

  private static ObjectNode read(String text) {
    Document document = Documents.read("test", text.getBytes(StandardCharsets.UTF_8)).getFirst();
    assertThat(document.faults()).isEmpty();
    return document.object().copy();
  }
}
