package dev.stint.runner.runtime;

/**
 * Receives the events of one attempt: starts, then exactly one {@code onExited}. A start may be
 * told again, and one of another container follows if the first was lost and is repeated.
 */
public interface AttemptListener {
  /** The waiting reason of a container whose volumes are not ready yet. */
  String CONTAINER_CREATING = "ContainerCreating";

  /** The waiting reason of a container whose configuration is invalid or incomplete. */
  String CONFIG_ERROR = "CreateContainerConfigError";

  /** The progress of an attempt that begins to pull its image. */
  String PULLING = "Pulling";

  /** The progress of an attempt that has pulled its image. */
  String PULLED = "Pulled";

  /**
   * Called when the attempt cannot start yet; it keeps trying. May be called any number of times,
   * with other reasons, before it has started.
   *
   * @param reason as a kubelet words it, such as {@code ImagePullBackOff}
   * @param message for people
   */
  default void onWaiting(String reason, String message) {}

  /**
   * Reports progress before the attempt has started, such as the pull of an image.
   *
   * @param reason the reason of the event, as a kubelet words it
   */
  default void onProgress(String reason, String message) {}

  void onStarted(StartedContainer started);

  /** Called when the attempt has ended and nothing of it runs; it may never have started. */
  void onExited(Exit exit);
}
