package dev.stint.model.podsecurity;

import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
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

  private static final Mode ENFORCE = Mode.named("enforce");
  private static final Mode AUDIT = Mode.named("audit");
  private static final Mode WARN = Mode.named("warn");

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
        ENFORCE.of(labels, defaults.enforce, PodSecurityLevel.RESTRICTED),
        AUDIT.of(labels, defaults.audit, PodSecurityLevel.PRIVILEGED),
        WARN.of(labels, defaults.warn, PodSecurityLevel.PRIVILEGED));
  }

  /**
   * The labels of one mode.
   *
   * @param name the mode, such as "enforce"
   */
  private record Mode(String name, String level, String version) {
    static Mode named(String name) {
      String level = PodSecurityLabels.PREFIX + name;
      return new Mode(name, level, level + PodSecurityLabels.VERSION_SUFFIX);
    }

    LevelVersion of(Labels labels, LevelVersion usual, PodSecurityLevel otherwise) {
      String asked = labels.apply(level);
      String versionAsked = labels.apply(version);
      if (asked == null && versionAsked == null) {
        return usual;
      }
      PodSecurityLevel known = asked == null ? usual.level() : PodSecurityLevel.of(asked);
      PolicyVersion parsed =
          versionAsked == null ? usual.version() : PolicyVersion.parse(versionAsked);
      return new LevelVersion(
          known == null ? otherwise : known, parsed == null ? PolicyVersion.LATEST : parsed);
    }

    /** Returns what labels ask for, such as {@code enforce=baseline:latest}; empty for nothing. */
    String asked(Labels labels, LevelVersion policy) {
      boolean set = labels.apply(level) != null || labels.apply(version) != null;
      return set && !policy.isPrivileged() ? name + "=" + policy : "";
    }
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
    return Stream.of(
            ENFORCE.asked(labels, enforce), AUDIT.asked(labels, audit), WARN.asked(labels, warn))
        .filter(asked -> !asked.isEmpty())
        .collect(Collectors.joining(", "));
  }
}
