package dev.stint.cluster.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.document.Documents;
import io.kubernetes.client.proto.IntStr.IntOrString;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Rbac;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ProtobufDocumentTest {
  @Test
  void aJobIsWhatItsJsonWouldBe() {
    V1.PodSpec pod =
        V1.PodSpec.newBuilder()
            .setRestartPolicy("Never")
            .setHostNetwork(false)
            .setTerminationGracePeriodSeconds(0)
            .addVolumes(
                V1.Volume.newBuilder()
                    .setName("scratch")
                    .setVolumeSource(
                        V1.VolumeSource.newBuilder()
                            .setEmptyDir(V1.EmptyDirVolumeSource.getDefaultInstance())))
            .addContainers(
                V1.Container.newBuilder()
                    .setName("main")
                    .setImage("busybox")
                    .addArgs("")
                    .setLivenessProbe(
                        V1.Probe.newBuilder()
                            .setHandler(
                                V1.ProbeHandler.newBuilder()
                                    .setTcpSocket(
                                        V1.TCPSocketAction.newBuilder()
                                            .setPort(
                                                IntOrString.newBuilder()
                                                    .setType(1)
                                                    .setStrVal("web")))))
                    .setResources(
                        V1.ResourceRequirements.newBuilder()
                            .putLimits("cpu", Quantity.newBuilder().setString("500m").build())))
            .build();
    V1Batch.Job job =
        V1Batch.Job.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("pi")
                    .setGenerateName("")
                    .setGeneration(0)
                    .setCreationTimestamp(Meta.Time.getDefaultInstance())
                    .putLabels("team", ""))
            .setSpec(
                V1Batch.JobSpec.newBuilder()
                    .setSuspend(false)
                    .setBackoffLimit(0)
                    .setTemplate(V1.PodTemplateSpec.newBuilder().setSpec(pod)))
            .build();
    assertThat(decoded("batch/v1", "Job", job))
        .isEqualTo(
            decodedJson(
                "batch/v1",
                "Job",
                """
                {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"pi","labels":{"team":""}},
                 "spec":{"suspend":false,"backoffLimit":0,"template":{"metadata":{},"spec":{
                  "restartPolicy":"Never","terminationGracePeriodSeconds":0,
                  "volumes":[{"name":"scratch","emptyDir":{}}],
                  "containers":[{"name":"main","image":"busybox","args":[""],
                   "livenessProbe":{"tcpSocket":{"port":"web"}},
                   "resources":{"limits":{"cpu":"500m"}}}]}}},"status":{}}
                """));
  }

  @Test
  void secretsAreBase64AndTheCoreGroupOfRolesStays() {
    V1.Secret secret =
        V1.Secret.newBuilder().putData("password", ByteString.copyFromUtf8("s3cret")).build();
    assertThat(decoded("v1", "Secret", secret).at("/data/password").stringValue())
        .isEqualTo("czNjcmV0");
    V1Rbac.Role role =
        V1Rbac.Role.newBuilder()
            .addRules(V1Rbac.PolicyRule.newBuilder().addVerbs("get").addApiGroups(""))
            .build();
    assertThat(decoded("rbac.authorization.k8s.io/v1", "Role", role).at("/rules/0/apiGroups/0"))
        .isEqualTo(Json.text(""));
  }

  @Test
  void timesAreRfc3339() {
    V1Coordination.Lease lease =
        V1Coordination.Lease.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setCreationTimestamp(Meta.Time.newBuilder().setSeconds(1_700_000_000)))
            .setSpec(
                V1Coordination.LeaseSpec.newBuilder()
                    .setRenewTime(
                        Meta.MicroTime.newBuilder().setSeconds(1_700_000_000).setNanos(1_500_000)))
            .build();
    ObjectNode tree = decoded("coordination.k8s.io/v1", "Lease", lease);
    assertThat(tree.at("/metadata/creationTimestamp").stringValue())
        .isEqualTo("2023-11-14T22:13:20Z");
    assertThat(tree.at("/spec/renewTime").stringValue()).isEqualTo("2023-11-14T22:13:20.001500Z");
  }

  @Test
  void listsInMapsAreLists() {
    V1Authorization.SubjectAccessReview review =
        V1Authorization.SubjectAccessReview.newBuilder()
            .setSpec(
                V1Authorization.SubjectAccessReviewSpec.newBuilder()
                    .setUser("jane")
                    .putExtra(
                        "scopes",
                        V1Authorization.ExtraValue.newBuilder()
                            .addItems("a")
                            .addItems("b")
                            .build()))
            .build();
    assertThat(
            decoded("authorization.k8s.io/v1", "SubjectAccessReview", review)
                .at("/spec/extra/scopes"))
        .hasSize(2);
  }

  @Test
  void managedFieldsKeepTheirForm() {
    V1.ConfigMap map =
        V1.ConfigMap.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .addManagedFields(
                        Meta.ManagedFieldsEntry.newBuilder()
                            .setManager("me")
                            .setFieldsV1(
                                Meta.FieldsV1.newBuilder()
                                    .setRaw(ByteString.copyFromUtf8("{\"f:data\":{}}")))))
            .build();
    assertThat(decoded("v1", "ConfigMap", map).at("/metadata/managedFields/0/fieldsV1/f:data"))
        .isEqualTo(Json.object());
  }

  @Test
  void aGracePeriodOfNothingIsNotNoGracePeriod() {
    Meta.DeleteOptions options =
        Meta.DeleteOptions.newBuilder()
            .setGracePeriodSeconds(0)
            .setPropagationPolicy("Background")
            .build();
    assertThat(ProtobufDocument.read(body("batch/v1", "DeleteOptions", options)))
        .hasToString(
            "{\"apiVersion\":\"batch/v1\",\"kind\":\"DeleteOptions\","
                + "\"gracePeriodSeconds\":0,\"propagationPolicy\":\"Background\"}");
  }

  @Test
  void whatIsSomethingElseIsRefused() {
    assertRefused("{}".getBytes(StandardCharsets.UTF_8), Reason.BAD_REQUEST, "no prefix");
    assertRefused(new byte[] {'k', '8'}, Reason.BAD_REQUEST, "no prefix");
    assertRefused(new byte[] {'k', '8', 's', 0, -1, -1}, Reason.BAD_REQUEST, "not valid protobuf");
    assertRefused(
        body("apps/v1", "Nothing", V1.Pod.getDefaultInstance()),
        Reason.UNSUPPORTED_MEDIA_TYPE,
        "apps/v1 Nothing");
    assertRefused(
        body("batch/v1", "Nothing", V1.Pod.getDefaultInstance()),
        Reason.UNSUPPORTED_MEDIA_TYPE,
        "batch/v1 Nothing");
  }

  private static void assertRefused(byte[] body, Reason reason, String message) {
    assertThatThrownBy(() -> ProtobufDocument.read(body))
        .isInstanceOfSatisfying(
            ClusterException.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason))
        .hasMessageContaining(message);
  }

  private static ObjectNode decoded(String apiVersion, String kind, Message message) {
    byte[] json = Json.bytes(ProtobufDocument.read(body(apiVersion, kind, message)));
    return decodedJson(apiVersion, kind, new String(json, StandardCharsets.UTF_8));
  }

  private static ObjectNode decodedJson(String apiVersion, String kind, String json) {
    Documents.Decoded document =
        Documents.readOne(json.getBytes(StandardCharsets.UTF_8), false, apiVersion, kind);
    assertThat(document.faults()).isEmpty();
    return document.tree();
  }

  private static byte[] body(String apiVersion, String kind, Message message) {
    Unknown envelope =
        Unknown.newBuilder()
            .setTypeMeta(TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
            .setRaw(message.toByteString())
            .build();
    return ByteString.copyFrom(new byte[] {'k', '8', 's', 0})
        .concat(envelope.toByteString())
        .toByteArray();
  }
}
