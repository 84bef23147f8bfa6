package dev.stint.apiserver.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Scheduling;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up the message types of kinds. */
final class MessageTypes {
  private MessageTypes() {}

  /** Returns the type for a document's kind; empty if the kind is not known here. */
  static Optional<Descriptor> of(String apiVersion, String kind) {
    FileDescriptor file = isOptions(kind) ? Meta.getDescriptor() : file(apiVersion);
    return Optional.ofNullable(file).map(found -> found.findMessageTypeByName(kind));
  }

  /** True if every group has the kind, in a version of its own. */
  static boolean isOptions(String kind) {
    return kind.endsWith("Options");
  }

  private static @Nullable FileDescriptor file(String apiVersion) {
    return switch (apiVersion) {
      case "v1" -> V1.getDescriptor();
      case "authentication.k8s.io/v1" -> V1Authentication.getDescriptor();
      case "authorization.k8s.io/v1" -> V1Authorization.getDescriptor();
      case "batch/v1" -> V1Batch.getDescriptor();
      case "coordination.k8s.io/v1" -> V1Coordination.getDescriptor();
      case "events.k8s.io/v1" -> V1Events.getDescriptor();
      case "flowcontrol.apiserver.k8s.io/v1" -> V1Flowcontrol.getDescriptor();
      case "policy/v1" -> V1Policy.getDescriptor();
      case "rbac.authorization.k8s.io/v1" -> V1Rbac.getDescriptor();
      case "scheduling.k8s.io/v1" -> V1Scheduling.getDescriptor();
      default -> null;
    };
  }
}
