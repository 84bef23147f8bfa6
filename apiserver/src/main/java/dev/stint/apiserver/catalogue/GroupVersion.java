package dev.stint.apiserver.catalogue;

import org.jspecify.annotations.Nullable;

/**
 * A group of resources in one version.
 *
 * @param group "" for the core group
 */
public record GroupVersion(String group, String version) {
  /** True if it consists of this group and this version. */
  boolean matches(String otherGroup, String otherVersion) {
    return group.equals(otherGroup) && version.equals(otherVersion);
  }

  /** Compares as a record does, but needs no milliseconds for its first call. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GroupVersion that && matches(that.group, that.version);
  }

  @Override
  public int hashCode() {
    return 31 * group.hashCode() + version.hashCode();
  }

  /** Returns the form in documents: {@code batch/v1}, or {@code v1} for the core group. */
  @Override
  public String toString() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /**
   * Returns the path of its resources, without a leading slash: {@code apis/batch/v1}, {@code
   * api/v1}.
   */
  public String path() {
    return (group.isEmpty() ? "api/" : "apis/") + this;
  }
}
