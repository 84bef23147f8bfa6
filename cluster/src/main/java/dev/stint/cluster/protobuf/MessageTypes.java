package dev.stint.cluster.protobuf;

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
    boolean isMeta =
        isOptions(kind) || kind.equals("Status") || apiVersion.startsWith("meta.k8s.io/");
    String file = isMeta ? META : file(apiVersion);
    return Optional.ofNullable(file)
        .map(FILES::get)
        .map(found -> found.findMessageTypeByName(kind));
  }

  /** Returns the type of the envelope around each document. */
  static Descriptor envelope() {
    return Objects.requireNonNull(FILES.get(RUNTIME)).findMessageTypeByName("Unknown");
  }

  /** Returns the type of the metadata of lists. */
  static Descriptor listMetadata() {
    return Objects.requireNonNull(FILES.get(META)).findMessageTypeByName("ListMeta");
  }

  /** True if every group has the kind, in a version of its own. */
  static boolean isOptions(String kind) {
    return kind.endsWith("Options");
  }

  /** Returns the file with the kinds of a group; null if there is none. */
  private static @Nullable String file(String apiVersion) {
    if (apiVersion.equals("v1")) {
      return "k8s.io/api/core/v1/generated.proto";
    }
    if (apiVersion.equals("apiextensions.k8s.io/v1")) {
      return "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/generated.proto";
    }
    int slash = apiVersion.indexOf('/');
    String group = apiVersion.substring(0, Math.max(0, slash));
    boolean known = !group.contains(".") || group.endsWith(".k8s.io");
    return known
        ? "k8s.io/api/%s/%s/generated.proto"
            .formatted(group.split("\\.", 2)[0], apiVersion.substring(slash + 1))
        : null;
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
