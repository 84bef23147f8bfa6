package dev.stint.apiserver.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the message types of kinds. Their definitions are data: the resource {@value #RESOURCE},
 * a protobuf {@code FileDescriptorSet} in which every file comes after those that it imports.
 */
final class MessageTypes {
  static final String RESOURCE = "kubernetes.protoset";

  private static final String META = "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";
  private static final String RUNTIME = "k8s.io/apimachinery/pkg/runtime/generated.proto";

  private static final Map<String, FileDescriptor> FILES = read();

  private MessageTypes() {}

  /** Returns the type for a document's kind; empty if the kind is not known here. */
  static Optional<Descriptor> of(String apiVersion, String kind) {
    String file = isOptions(kind) ? META : file(apiVersion);
    return Optional.ofNullable(file)
        .map(FILES::get)
        .map(found -> found.findMessageTypeByName(kind));
  }

  /** Returns the type of the envelope around each document. */
  static Descriptor envelope() {
    return Objects.requireNonNull(FILES.get(RUNTIME)).findMessageTypeByName("Unknown");
  }

  /** True if every group has the kind, in a version of its own. */
  static boolean isOptions(String kind) {
    return kind.endsWith("Options");
  }

  /** Returns the file with the kinds of a group; null if there is none. */
  private static @Nullable String file(String apiVersion) {
    String group =
        switch (apiVersion) {
          case "v1" -> "core";
          case "authentication.k8s.io/v1" -> "authentication";
          case "authorization.k8s.io/v1" -> "authorization";
          case "batch/v1" -> "batch";
          case "coordination.k8s.io/v1" -> "coordination";
          case "events.k8s.io/v1" -> "events";
          case "flowcontrol.apiserver.k8s.io/v1" -> "flowcontrol";
          case "policy/v1" -> "policy";
          case "rbac.authorization.k8s.io/v1" -> "rbac";
          case "scheduling.k8s.io/v1" -> "scheduling";
          default -> null;
        };
    return group == null ? null : "k8s.io/api/" + group + "/v1/generated.proto";
  }

  private static Map<String, FileDescriptor> read() {
    Map<String, FileDescriptor> files = new HashMap<>();
    try (InputStream in = MessageTypes.class.getResourceAsStream(RESOURCE)) {
      for (FileDescriptorProto file : FileDescriptorSet.parseFrom(in).getFileList()) {
        FileDescriptor[] imported =
            file.getDependencyList().stream().map(files::get).toArray(FileDescriptor[]::new);
        files.put(file.getName(), FileDescriptor.buildFrom(file, imported));
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (DescriptorValidationException broken) {
      throw new IllegalStateException(broken);
    }
    return Map.copyOf(files);
  }
}
