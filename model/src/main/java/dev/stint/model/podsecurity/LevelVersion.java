package dev.stint.model.podsecurity;

/** A level of the Pod Security Standards in one version, such as {@code restricted:v1.36}. */
public record LevelVersion(PodSecurityLevel level, PolicyVersion version) {
  public static final LevelVersion PRIVILEGED =
      new LevelVersion(PodSecurityLevel.PRIVILEGED, PolicyVersion.LATEST);

  /** True if every pod meets this level. */
  public boolean isPrivileged() {
    return level == PodSecurityLevel.PRIVILEGED;
  }

  /** True if each pod that meets another level meets this one too. */
  boolean isNoStricterThan(LevelVersion other) {
    return isPrivileged() || version.equals(other.version) && level.compareTo(other.level) <= 0;
  }

  @Override
  public String toString() {
    return level + ":" + version;
  }
}
