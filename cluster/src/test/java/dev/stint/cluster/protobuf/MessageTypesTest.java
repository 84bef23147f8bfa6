package dev.stint.cluster.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Discovery;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Node;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V2Autoscaling;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageTypesTest {
  private static final List<FileDescriptor> NEEDED =
      List.of(
          Runtime.getDescriptor(),
          Meta.getDescriptor(),
          V1.getDescriptor(),
          V1Authentication.getDescriptor(),
          V1Authorization.getDescriptor(),
          V1Batch.getDescriptor(),
          V1Coordination.getDescriptor(),
          V1Events.getDescriptor(),
          V1Flowcontrol.getDescriptor(),
          V1Policy.getDescriptor(),
          V1Rbac.getDescriptor(),
          V1Scheduling.getDescriptor(),
          V1Apiextensions.getDescriptor(),
          V1Apps.getDescriptor(),
          V1Autoscaling.getDescriptor(),
          V1Certificates.getDescriptor(),
          V1Discovery.getDescriptor(),
          V1Networking.getDescriptor(),
          V1Node.getDescriptor(),
          V1Storage.getDescriptor(),
          V2Autoscaling.getDescriptor());

  @Test
  void theResourceHoldsTheDefinitionsOfTheOfficialClient() throws IOException {
    FileDescriptorSet.Builder expected = FileDescriptorSet.newBuilder();
    withImports().values().forEach(file -> expected.addFile(file.toProto()));
    if (Boolean.getBoolean("stint.write.protoset")) {
      Files.write(
          Path.of("src/main/resources/dev/stint/cluster/protobuf", MessageTypes.RESOURCE),
          expected.build().toByteArray());
    }
    try (InputStream in = MessageTypes.class.getResourceAsStream(MessageTypes.RESOURCE)) {
      assertThat(FileDescriptorSet.parseFrom(in))
          .as("write it anew with -Dtest=MessageTypesTest -Dstint.write.protoset=true")
          .isEqualTo(expected.build());
    }
  }

  @Test
  void aGroupOfAnotherVersionIsUnknown() {
    assertThat(MessageTypes.of("batch/v1", "Job")).isPresent();
    assertThat(MessageTypes.of("apiextensions.k8s.io/v1", "CustomResourceDefinition")).isPresent();
    assertThat(MessageTypes.of("batch/v1", "Nonsense")).isEmpty();
    assertThat(MessageTypes.of("batch/v2", "Job")).isEmpty();
    assertThat(MessageTypes.of("any.group/v7", "DeleteOptions")).isPresent();
  }

  private static Map<String, FileDescriptor> withImports() {
    Map<String, FileDescriptor> files = new LinkedHashMap<>();
    NEEDED.forEach(file -> add(file, files));
    return files;
  }

  private static void add(FileDescriptor file, Map<String, FileDescriptor> files) {
    file.getDependencies().forEach(imported -> add(imported, files));
    files.putIfAbsent(file.getName(), file);
  }
}
