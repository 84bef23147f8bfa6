package dev.stint.runner.runtime;

import java.util.Set;

/**
 * Receives the events of one attempt: starts, then exactly one {@code onExited}. A start may be
 * told again, and one of another container follows if the first was lost and is repeated.
 */
public interface AttemptListener {
  /** The waiting reason of a container whose volumes are not ready yet. */
  String CONTAINER_CREATING = "ContainerCreating";

  /** The waiting reason of a container whose configuration is invalid or incomplete. */
  String CONFIG_ERROR = "CreateContainerConfigError";

  /** The waiting reason of a container whose image could not be pulled. */
  String ERR_IMAGE_PULL = "ErrImagePull";

  /** The waiting reason of a container whose image could not be pulled again and again. */
  String IMAGE_PULL_BACK_OFF = "ImagePullBackOff";

  /** The waiting reason of a container whose image may not be pulled, and is not there. */
  String ERR_IMAGE_NEVER_PULL = "ErrImageNeverPull";

  /** The waiting reason of a container whose image cannot be looked at. */
  String IMAGE_INSPECT_ERROR = "ImageInspectError";

  /** The waiting reason of a container whose image has no valid name. */
  String INVALID_IMAGE_NAME = "InvalidImageName";

  /** The waiting reasons that end once there is the image. */
  Set<String> IMAGE_REASONS =
      Set.of(
          ERR_IMAGE_PULL,
          IMAGE_PULL_BACK_OFF,
          ERR_IMAGE_NEVER_PULL,
          IMAGE_INSPECT_ERROR,
          INVALID_IMAGE_NAME);

  /** The progress of an attempt that begins to pull its image. */
  String PULLING = "Pulling";

  /** The progress of an attempt that has pulled its image. */
  String PULLED = "Pulled";

  /**
   * Called when the attempt cannot start yet; it keeps trying. May be called any number of times,
   * with other reasons, before it has started.
   *
   * @param reason as a kubelet words it, such as {@link #IMAGE_PULL_BACK_OFF}
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
