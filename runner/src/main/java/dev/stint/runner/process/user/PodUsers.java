package dev.stint.runner.process.user;

import java.io.IOException;
import java.util.Optional;

/** The users that pods run as, by namespace. */
@FunctionalInterface
public interface PodUsers {
  /**
   * Returns the user of a namespace's pods; empty for Stint's own.
   *
   * @throws IOException there is none; the message says why
   */
  Optional<PodUser> of(String namespace) throws IOException;
}
