package dev.stint.runner.container;

import dev.stint.runner.container.daemon.Daemon;
import dev.stint.runner.container.daemon.DaemonException;
import dev.stint.runner.container.daemon.DaemonException.Reason;
import dev.stint.runner.container.daemon.PauseContainer;

/** Provides the image of the {@link PauseContainer}. */
record PauseImage(Daemon daemon, String architecture) {
  /**
   * Makes the image if it is missing.
   *
   * @throws DaemonException also if there is no program for the machine
   */
  void provide() throws DaemonException {
    try {
      var _ = daemon.image(PauseContainer.IMAGE);
    } catch (DaemonException fault) {
      if (fault.reason() != Reason.MISSING) {
        throw fault;
      }
      byte[] archive =
          PauseContainer.archive(architecture)
              .orElseThrow(() ->
                  new DaemonException(
                      Reason.REFUSED,
                      "pods with a shared network are not supported on the architecture "
                          + architecture,
                      null));
      daemon.importImage(archive, PauseContainer.REPOSITORY, PauseContainer.TAG);
    }
  }
}
