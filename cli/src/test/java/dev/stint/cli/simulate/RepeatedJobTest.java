package dev.stint.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import org.junit.jupiter.api.Test;

class RepeatedJobTest {
  private static final String STORED =
      """
      {"apiVersion": "batch/v1", "kind": "Job",
       "metadata": {"name": "report", "namespace": "team", "uid": "u", "annotations": {
         "a": "b", "stint.dev/after": "first", "stint.dev/success-percentage": "50"}},
       "spec": {
         "completions": 3, "suspend": true, "managedBy": "stint.dev/one", "backoffLimit": 2,
         "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": "u"}},
         "template": {
           "metadata": {"labels": {"batch.kubernetes.io/controller-uid": "u"}},
           "spec": {
             "restartPolicy": "Never", "serviceAccountName": "robot", "priorityClassName": "high",
             "volumes": [{"name": "v", "configMap": {"name": "gone"}}],
             "containers": [{
               "name": "main", "image": "i", "envFrom": [{"configMapRef": {"name": "gone"}}],
               "resources": {
                 "requests": {"cpu": "2"}, "limits": {"memory": "1Gi"}, "claims": [{"name": "gpu"}]}}]}}},
       "status": {"failed": 1}}
      """;

  @Test
  void onlyWhatDecidesOnTheCourseIsLeft() {
    KubeObject stored = KubeObject.of(Json.parse(STORED));
    assertThat(RepeatedJob.of(stored).tree())
        .isEqualTo(
            Json.parse(
                """
                {"apiVersion": "batch/v1", "kind": "Job",
                 "metadata": {"name": "report", "namespace": "team", "annotations": {
                   "stint.dev/success-percentage": "50"}},
                 "spec": {
                   "completions": 3, "backoffLimit": 2,
                   "template": {"spec": {
                     "restartPolicy": "Never",
                     "containers": [{
                       "name": "main", "image": "i",
                       "resources": {"requests": {"cpu": "2"}, "limits": {"memory": "1Gi"}}}]},
                   "metadata": {}}},
                 "status": {}}
                """));
    assertThat(stored.tree()).isEqualTo(Json.parse(STORED));
    assertThat(RepeatedJob.pods(stored)).isEqualTo(3);
  }

  @Test
  void devicesAreToldFromOtherResources() {
    KubeObject stored = KubeObject.of(Json.parse(STORED));
    assertThat(RepeatedJob.hasDevices(stored)).isFalse();
    String gpu = STORED.replace("\"memory\": \"1Gi\"", "\"nvidia.com/gpu\": 1");
    assertThat(RepeatedJob.hasDevices(KubeObject.of(Json.parse(gpu)))).isTrue();
  }
}
