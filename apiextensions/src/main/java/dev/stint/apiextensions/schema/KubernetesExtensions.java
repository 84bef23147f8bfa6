package dev.stint.apiextensions.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keywords {@code x-kubernetes-*}.
 *
 * @param preserveUnknownFields null if it is not set
 * @param listType "" if it is not set, like {@code mapType}
 */
public record KubernetesExtensions(
    @Nullable Boolean preserveUnknownFields,
    boolean embeddedResource,
    boolean intOrString,
    String listType,
    List<String> listMapKeys,
    String mapType) {
  public static final KubernetesExtensions NONE =
      new KubernetesExtensions(null, false, false, "", List.of(), "");
}
