package dev.stint.runner.volume;

import dev.stint.runner.runtime.AttemptListener;

/**
 * A volume, or a part of one, is not available yet; the message names it and says why. A container
 * waits for it, as on a cluster.
 */
public final class VolumeFault extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  private VolumeFault(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Creates a fault of a volume that cannot be made. */
  static VolumeFault ofVolume(String message) {
    return new VolumeFault(AttemptListener.CONTAINER_CREATING, message);
  }

  /** Creates a fault of an existing volume that lacks the mounted part. */
  static VolumeFault ofMount(String message) {
    return new VolumeFault(AttemptListener.CONFIG_ERROR, message);
  }

  /** Returns the waiting reason of the container, as a kubelet words it. */
  public String reason() {
    return reason;
  }
}
