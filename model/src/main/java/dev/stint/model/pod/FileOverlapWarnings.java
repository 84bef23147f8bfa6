package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Warnings about files of one volume that lie at one path, or one below the other. */
final class FileOverlapWarnings {
  private FileOverlapWarnings() {}

  /**
   * One file of a volume.
   *
   * @param source what it comes from; "" where the volume has one source only
   */
  private record MountedFile(String path, String source) {
    static MountedFile of(String path, String source) {
      int end = path.length();
      while (end > 0 && path.charAt(end - 1) == '/') {
        end--;
      }
      return new MountedFile(path.substring(0, end), source);
    }

    boolean overlaps(MountedFile other) {
      return !path.isEmpty()
          && !other.path.isEmpty()
          && ((path + "/").startsWith(other.path + "/")
              || (other.path + "/").startsWith(path + "/"));
    }

    String text() {
      return Words.goQuoted(path) + (source.isEmpty() ? "" : " (" + source + ")");
    }
  }

  static List<String> of(At spec) {
    List<String> warnings = new ArrayList<>();
    for (At volume : spec.get("volumes").items()) {
      At configMap = volume.get("configMap");
      At secret = volume.get("secret");
      At downward = volume.get("downwardAPI");
      single(volume, configMap, named("ConfigMap", configMap.get("name")), warnings);
      single(volume, secret, named("Secret", secret.get("secretName")), warnings);
      single(volume, downward, "DownwardAPI", warnings);
      projected(volume, warnings);
    }
    return warnings;
  }

  /** A volume of one source has one warning for all of its files. */
  private static void single(At volume, At source, String what, List<String> warnings) {
    List<String> overlaps = overlaps(items(source, ""));
    if (!overlaps.isEmpty()) {
      warnings.add(warning(volume, what, String.join(", ", overlaps)));
    }
  }

  private static void projected(At volume, List<String> warnings) {
    List<MountedFile> files = new ArrayList<>();
    for (At source : volume.get("projected", "sources").items()) {
      if (source.entries().stream().noneMatch(At::exists)) {
        warnings.add(
            "volume %s (Projected) has no sources provided".formatted(quoted(volume.get("name"))));
      }
      files.addAll(files(source));
    }
    overlaps(files).forEach(one -> warnings.add(warning(volume, "Projected", one)));
  }

  private static List<MountedFile> files(At source) {
    At configMap = source.get("configMap");
    At secret = source.get("secret");
    At token = source.get("serviceAccountToken");
    At bundle = source.get("clusterTrustBundle");
    At signer = bundle.get(bundle.get("name").exists() ? "name" : "signerName");
    At certificate = source.get("podCertificate");
    return Stream.of(
            items(configMap, named("ConfigMap", configMap.get("name"))),
            items(secret, named("Secret", secret.get("name"))),
            items(source.get("downwardAPI"), "DownwardAPI"),
            file(token.get("path"), "ServiceAccountToken"),
            file(bundle.get("path"), named("ClusterTrustBundle", signer)),
            file(certificate.get("certificateChainPath"), "PodCertificate chain"),
            file(certificate.get("keyPath"), "PodCertificate key"),
            file(certificate.get("credentialBundlePath"), "PodCertificate credential bundle"))
        .flatMap(List::stream)
        .toList();
  }

  private static List<MountedFile> items(At source, String what) {
    return source.get("items").items().stream()
        .map(item -> MountedFile.of(item.get("path").text(), what))
        .toList();
  }

  private static List<MountedFile> file(At path, String what) {
    return path.isEmpty() ? List.of() : List.of(MountedFile.of(path.text(), what));
  }

  /** Returns each file with each one before it that it overlaps. */
  private static List<String> overlaps(List<MountedFile> files) {
    List<String> overlaps = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      MountedFile file = files.get(i);
      files.subList(0, i).stream()
          .filter(file::overlaps)
          .forEach(other -> overlaps.add(file.text() + " with " + other.text()));
    }
    return overlaps;
  }

  private static String warning(At volume, String what, String overlaps) {
    return "volume %s (%s): overlapping paths: %s"
        .formatted(quoted(volume.get("name")), what, overlaps);
  }

  private static String named(String what, At name) {
    return what + " " + quoted(name);
  }

  private static String quoted(At text) {
    return Words.goQuoted(text.text());
  }
}
