package dev.stint.runner.runtime;

/** Hears of one attempt: at most one {@code started}, then exactly one {@code exited}. */
public interface AttemptListener {
  /** What a container waits with whose volumes are not there yet. */
  String CONTAINER_CREATING = "ContainerCreating";

  /** What a container waits with that can't be made of what there is. */
  String CONFIG_ERROR = "CreateContainerConfigError";

  /**
   * The attempt can't start yet; it goes on trying. May be told any number of times, with other
   * reasons, before it has started.
   *
   * @param reason as a kubelet words it, such as {@code ImagePullBackOff}
   * @param message for people
   */
  default void waiting(String reason, String message) {}

  /**
   * Something for people to know while the attempt has not started, such as the pull of an image.
   *
   * @param reason of the event, as a kubelet words it
   */
  default void news(String reason, String message) {}

  void started(StartedContainer started);

  /** The attempt ended and nothing of it runs; it may never have {@code started}. */
  void exited(Exit exit);
}
