package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import dev.stint.model.field.MessagePhrases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Warnings about files of one volume with the same path, or with one path below the other. */
final class FileOverlapWarnings {
  /** The maximum number of warnings; far fewer fit into an answer. */
  private static final int MOST_TEXTS = 4096;

  /** The maximum number of characters of a warning; longer ones are cut. */
  private static final int MOST_OF_ONE_TEXT = 4096;

  private static final int MOST_OF_ALL_TEXTS = 1 << 20;

  private FileOverlapWarnings() {}

  /**
   * One file of a volume.
   *
   * @param source the origin of the file; "" if the volume has one source only
   */
  private record MountedFile(String path, String source) {
    static MountedFile of(String path, String source) {
      int end = path.length();
      while (end > 0 && path.charAt(end - 1) == '/') {
        end--;
      }
      return new MountedFile(path.substring(0, end), source);
    }

    /** Returns the prefix of the paths of files below this one. */
    String folder() {
      return path + "/";
    }

    String text() {
      return MessagePhrases.goQuoted(path) + (source.isEmpty() ? "" : " (" + source + ")");
    }
  }

  static List<String> of(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    for (FieldPath volume : spec.get("volumes").items()) {
      if (warnings.size() >= MOST_TEXTS) {
        break;
      }
      FieldPath configMap = volume.get("configMap");
      FieldPath secret = volume.get("secret");
      FieldPath downward = volume.get("downwardAPI");
      single(volume, configMap, named("ConfigMap", configMap.get("name")), warnings);
      single(volume, secret, named("Secret", secret.get("secretName")), warnings);
      single(volume, downward, "DownwardAPI", warnings);
      projected(volume, warnings);
    }
    return warnings;
  }

  /** Adds one warning for all files of a volume with one source. */
  private static void single(
      FieldPath volume, FieldPath source, String what, List<String> warnings) {
    List<String> overlaps = overlaps(items(source, ""), MOST_OF_ONE_TEXT);
    if (!overlaps.isEmpty()) {
      warnings.add(warning(volume, what, String.join(", ", overlaps)));
    }
  }

  private static void projected(FieldPath volume, List<String> warnings) {
    List<MountedFile> files = new ArrayList<>();
    for (FieldPath source : volume.get("projected", "sources").items()) {
      if (source.entries().stream().noneMatch(FieldPath::exists)) {
        warnings.add(
            "volume %s (Projected) has no sources provided".formatted(quoted(volume.get("name"))));
      }
      files.addAll(files(source));
    }
    overlaps(files, MOST_OF_ALL_TEXTS)
        .forEach(one -> warnings.add(warning(volume, "Projected", one)));
  }

  private static List<MountedFile> files(FieldPath source) {
    FieldPath configMap = source.get("configMap");
    FieldPath secret = source.get("secret");
    FieldPath token = source.get("serviceAccountToken");
    FieldPath bundle = source.get("clusterTrustBundle");
    FieldPath signer = bundle.get(bundle.get("name").exists() ? "name" : "signerName");
    FieldPath certificate = source.get("podCertificate");
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

  private static List<MountedFile> items(FieldPath source, String what) {
    return source.get("items").items().stream()
        .map(item -> MountedFile.of(item.get("path").text(), what))
        .toList();
  }

  private static List<MountedFile> file(FieldPath path, String what) {
    return path.isEmpty() ? List.of() : List.of(MountedFile.of(path.text(), what));
  }

  /**
   * Returns each file with every earlier one that it overlaps, up to the limits. Only overlapping
   * pairs are visited, as the folders index the files.
   */
  private static List<String> overlaps(List<MountedFile> files, int mostCharacters) {
    Map<String, String> parents = parents(files);
    NavigableMap<String, List<Integer>> before = new TreeMap<>();
    Map<String, List<Integer>> places = new HashMap<>();
    List<String> overlaps = new ArrayList<>();
    int characters = 0;
    for (int i = 0; i < files.size(); i++) {
      MountedFile file = files.get(i);
      if (file.path().isEmpty()) {
        continue;
      }
      String folder = file.folder();
      List<Integer> others = new ArrayList<>();
      for (String up = parents.get(folder); up != null; up = parents.get(up)) {
        others.addAll(places.getOrDefault(up, List.of()));
      }
      for (Map.Entry<String, List<Integer>> below : before.tailMap(folder).entrySet()) {
        if (!below.getKey().startsWith(folder)) {
          break;
        }
        others.addAll(below.getValue());
      }
      Collections.sort(others);
      for (int other : others) {
        String overlap = file.text() + " with " + files.get(other).text();
        overlaps.add(overlap);
        characters += overlap.length();
        if (overlaps.size() >= MOST_TEXTS || characters > mostCharacters) {
          return overlaps;
        }
      }
      List<Integer> same = places.computeIfAbsent(folder, _ -> new ArrayList<>());
      same.add(i);
      before.put(folder, same);
    }
    return overlaps;
  }

  /** Returns, for each folder, the nearest folder above it that is one of the files too. */
  private static Map<String, String> parents(List<MountedFile> files) {
    Map<String, String> parents = new HashMap<>();
    Deque<String> above = new ArrayDeque<>();
    SortedSet<String> folders = new TreeSet<>();
    files.stream()
        .filter(file -> !file.path().isEmpty())
        .forEach(file -> folders.add(file.folder()));
    for (String folder : folders) {
      while (!above.isEmpty() && !folder.startsWith(above.element())) {
        above.pop();
      }
      if (!above.isEmpty()) {
        parents.put(folder, above.element());
      }
      above.push(folder);
    }
    return parents;
  }

  private static String warning(FieldPath volume, String what, String overlaps) {
    return "volume %s (%s): overlapping paths: %s"
        .formatted(quoted(volume.get("name")), what, overlaps);
  }

  private static String named(String what, FieldPath name) {
    return what + " " + quoted(name);
  }

  private static String quoted(FieldPath text) {
    return MessagePhrases.goQuoted(text.text());
  }
}
