package dev.stint.kube;

import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The paths of the API's URLs (Kubernetes API Concepts, Resource URIs). */
final class ResourcePath {
  private ResourcePath() {}

  /** Returns the path of all objects of a kind, in one namespace or (null) in all. */
  static String collection(Kind kind, @Nullable String namespace) {
    String api = kind.group().isEmpty() ? "api/" : "apis/" + kind.group() + "/";
    String in =
        namespace == null || !kind.namespaced() ? "" : "namespaces/" + encoded(namespace) + "/";
    return api + kind.version() + "/" + in + kind.plural();
  }

  /**
   * Returns the path of one object, whose name must not be empty: the path would mean all objects.
   */
  static String object(ObjectRef ref) {
    return collection(ref.kind(), ref.namespace()) + "/" + encoded(ref.name());
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
