package dev.stint.dependencies;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The SHA-256 sums of the third-party jars that ship, by file name. The list is part of the
 * repository, so a registry that hands out another jar under the same version fails the build.
 *
 * <p>The list has the format of {@code sha256sum}: a sum, two spaces and a file name in each line.
 */
record Checksums(Map<String, String> sums) {
  Checksums {
    sums = new TreeMap<>(sums);
  }

  /** Reads a list; an absent file is an empty list. */
  static Checksums read(Path list) throws IOException {
    Map<String, String> sums = new TreeMap<>();
    for (String line : Files.exists(list) ? Files.readAllLines(list) : List.<String>of()) {
      String[] columns = line.split(" {2}", 2);
      sums.put(columns[1], columns[0]);
    }
    return new Checksums(sums);
  }

  /** Computes the sums of these jars. */
  static Checksums of(List<Path> jars) {
    return new Checksums(
        jars.stream()
            .collect(Collectors.toMap(jar -> jar.getFileName().toString(), Checksums::sum)));
  }

  /** Returns the entries of this list for the jars of another one. */
  Checksums only(Checksums other) {
    Map<String, String> part = new TreeMap<>(sums);
    part.keySet().retainAll(other.sums.keySet());
    return new Checksums(part);
  }

  /**
   * Returns one line for each jar of {@code actual} that this list lacks or has another sum for,
   * and for each entry that no jar needs any more; empty if both agree.
   */
  List<String> differences(Checksums actual) {
    List<String> found = new ArrayList<>();
    actual.sums.forEach((jar, sum) -> {
      String expected = sums.get(jar);
      if (expected == null) {
        found.add(jar + ": not listed");
      } else if (!expected.equals(sum)) {
        found.add(jar + ": expected SHA-256 " + expected + ", found " + sum);
      }
    });
    sums.keySet().stream()
        .filter(jar -> !actual.sums.containsKey(jar))
        .forEach(jar -> found.add(jar + ": listed, but not a dependency any more"));
    return found;
  }

  /** Returns the list as text, sorted by file name. */
  String text() {
    return sums.entrySet().stream()
        .map(entry -> entry.getValue() + "  " + entry.getKey() + "\n")
        .collect(Collectors.joining());
  }

  private static String sum(Path jar) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
