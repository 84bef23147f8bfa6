package dev.stint.apiserver.discovery;

/**
 * A group of resources in one version.
 *
 * @param group "" for the core group
 */
public record GroupVersion(String group, String version) {
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
