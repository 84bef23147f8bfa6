package dev.stint.runner.container;

import dev.stint.runner.container.DaemonException.Kind;

/** Sees to it that the image of {@link Holder} is there. */
record HolderImage(Daemon daemon, String architecture) {
  /**
   * Makes the image where it is missing.
   *
   * @throws DaemonException also where there is no program for the machine
   */
  void provide() throws DaemonException {
    try {
      var _ = daemon.image(Holder.IMAGE);
    } catch (DaemonException fault) {
      if (fault.kind() != Kind.MISSING) {
        throw fault;
      }
      byte[] archive =
          Holder.archive(architecture)
              .orElseThrow(() ->
                  new DaemonException(
                      Kind.REFUSED,
                      "containers can't share namespaces on the architecture " + architecture,
                      null));
      daemon.importImage(archive, Holder.REPOSITORY, Holder.TAG);
    }
  }
}
