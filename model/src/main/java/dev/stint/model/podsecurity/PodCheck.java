package dev.stint.model.podsecurity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One check of the Pod Security Standards.
 *
 * @param id its name; violations are listed in the order of names
 * @param level the least restrictive level that has it
 * @param replaces the id of the check of a less restrictive level that it replaces; empty for none
 * @param revisions what it forbids, by the version that introduced this, oldest first
 */
record PodCheck(String id, PodSecurityLevel level, String replaces, List<Revision> revisions) {
  /** The things that a check forbids. */
  interface Rule {
    /** Returns the violation; null if there is none. */
    @Nullable PolicyViolation check(CheckedPod pod);
  }

  /**
   * One revision of a check.
   *
   * @param since the minor version of Kubernetes that introduced it
   */
  record Revision(int since, Rule rule) {}

  static PodCheck baseline(String id, Revision... revisions) {
    return new PodCheck(id, PodSecurityLevel.BASELINE, "", List.of(revisions));
  }

  static PodCheck restricted(String id, Revision... revisions) {
    return new PodCheck(id, PodSecurityLevel.RESTRICTED, "", List.of(revisions));
  }

  /** Returns this check in the place of another one. */
  PodCheck insteadOf(PodCheck other) {
    return new PodCheck(id, level, other.id, revisions);
  }

  /** Returns what is forbidden in a version; null if that version does not have the check. */
  @Nullable Rule at(PolicyVersion version) {
    Rule newest = null;
    for (Revision revision : revisions) {
      if (revision.since <= version.minor()) {
        newest = revision.rule;
      }
    }
    return newest;
  }

  /** Returns a revision with an exception for pods with a user namespace of their own. */
  static Revision exceptInUserNamespaces(int since, Rule rule) {
    return new Revision(since, pod -> pod.hasUserNamespace() ? null : rule.check(pod));
  }

  /** Returns a revision with an exception for pods of Windows. */
  static Revision exceptOnWindows(int since, Rule rule) {
    return new Revision(since, pod -> pod.isForWindows() ? null : rule.check(pod));
  }
}
