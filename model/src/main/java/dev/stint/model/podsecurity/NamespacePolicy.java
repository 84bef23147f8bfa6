package dev.stint.model.podsecurity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The levels that hold in one namespace.
 *
 * @param enforce pods that violate it are refused
 * @param audit violations of it are noted in the audit log
 * @param warn users are warned of violations of it
 */
public record NamespacePolicy(LevelVersion enforce, LevelVersion audit, LevelVersion warn) {
  /** The policy of namespaces without labels, as in Kubernetes: everything is allowed. */
  public static final NamespacePolicy PRIVILEGED =
      new NamespacePolicy(
          LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED);

  /** Finds the value of a namespace's label. */
  public interface Labels extends UnaryOperator<@Nullable String> {}

  /**
   * Returns the policy of a namespace. A level that does not exist counts as restricted where it is
   * enforced, and as privileged elsewhere; a version that does not exist counts as the latest.
   *
   * @param labels finds the value of a label; null if there is none
   * @param defaults the policy of a namespace without labels
   */
  public static NamespacePolicy of(Labels labels, NamespacePolicy defaults) {
    return new NamespacePolicy(
        of(labels, "enforce", defaults.enforce, PodSecurityLevel.RESTRICTED),
        of(labels, "audit", defaults.audit, PodSecurityLevel.PRIVILEGED),
        of(labels, "warn", defaults.warn, PodSecurityLevel.PRIVILEGED));
  }

  private static LevelVersion of(
      Labels labels, String mode, LevelVersion usual, PodSecurityLevel otherwise) {
    String level = labels.apply(PodSecurityLabels.PREFIX + mode);
    String version =
        labels.apply(PodSecurityLabels.PREFIX + mode + PodSecurityLabels.VERSION_SUFFIX);
    if (level == null && version == null) {
      return usual;
    }
    PodSecurityLevel known = level == null ? usual.level() : PodSecurityLevel.of(level);
    PolicyVersion parsed = version == null ? usual.version() : PolicyVersion.parse(version);
    return new LevelVersion(
        known == null ? otherwise : known, parsed == null ? PolicyVersion.LATEST : parsed);
  }

  /** Returns this policy for writers who read neither warnings nor the audit log. */
  public NamespacePolicy enforcedOnly() {
    return new NamespacePolicy(enforce, LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED);
  }

  /** True if no pod violates anything. */
  public boolean allowsAll() {
    return enforce.isPrivileged() && audit.isPrivileged() && warn.isPrivileged();
  }

  /**
   * Returns what a namespace's own labels ask for beyond the privileged level, such as {@code
   * enforce=baseline:latest, warn=restricted:latest}; empty for nothing.
   */
  String labelled(Labels labels) {
    List<String> asked = new ArrayList<>();
    List<LevelVersion> levels = List.of(enforce, audit, warn);
    for (int i = 0; i < levels.size(); i++) {
      String mode = PodSecurityLabels.MODES.get(i);
      boolean set =
          Stream.of("", PodSecurityLabels.VERSION_SUFFIX)
              .anyMatch(end -> labels.apply(PodSecurityLabels.PREFIX + mode + end) != null);
      if (set && !levels.get(i).isPrivileged()) {
        asked.add(mode + "=" + levels.get(i));
      }
    }
    return String.join(", ", asked);
  }
}
