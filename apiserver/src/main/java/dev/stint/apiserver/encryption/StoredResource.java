package dev.stint.apiserver.encryption;

import dev.stint.model.Kind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resource of a stored object.
 *
 * @param group "" for the core group
 */
record StoredResource(String group, String plural) {
  private static final String ROOT = "/registry/";

  /** The resources of the core group, which custom ones never are in. */
  private static final Set<String> CORE =
      Stream.concat(Kind.all().stream(), Kind.kept().stream())
          .filter(kind -> kind.group().isEmpty())
          .map(Kind::plural)
          .collect(Collectors.toUnmodifiableSet());

  /** Returns the resource of a key, such as {@code /registry/batch/jobs/default/pi}. */
  static StoredResource ofKey(String key) {
    String[] parts = key.substring(key.startsWith(ROOT) ? ROOT.length() : 0).split("/", 3);
    return CORE.contains(parts[0]) || parts.length < 3
        ? new StoredResource("", parts[0])
        : new StoredResource(parts[0], parts[1]);
  }

  /**
   * True if a pattern of an {@code EncryptionConfiguration} matches: {@code secrets}, {@code
   * jobs.batch}, {@code *.} (the core group), {@code *.batch} or {@code *.*}.
   */
  boolean matches(String pattern) {
    int dot = pattern.indexOf('.');
    String resource = dot < 0 ? pattern : pattern.substring(0, dot);
    String of = dot < 0 ? "" : pattern.substring(dot + 1);
    return (resource.equals("*") || resource.equals(plural))
        && (of.equals(group) || pattern.equals("*.*"));
  }
}
