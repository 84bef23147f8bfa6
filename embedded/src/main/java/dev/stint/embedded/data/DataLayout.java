package dev.stint.embedded.data;

import dev.stint.store.StorageEngine;
import java.nio.file.Path;

/**
 * The files of a data directory, by their names. Says where they are, and touches none of them.
 *
 * @param directory the data directory, which need not exist
 */
public record DataLayout(Path directory) {
  /** The name of the socket of the process that holds the directory. */
  public static final String SOCKET = "socket";

  /** Returns the file with the number of the directory's format. */
  public Path format() {
    return directory.resolve("VERSION");
  }

  /** Returns the lock, which names its holder. */
  public Path lock() {
    return directory.resolve("lock");
  }

  /** Returns the directory of the {@link StorageEngine}. */
  public Path store() {
    return directory.resolve("store");
  }

  /** Returns the directory in which pods work. */
  public Path pods() {
    return directory.resolve("pods");
  }

  /** Returns the directory of pod logs. */
  public Path logs() {
    return directory.resolve("logs");
  }

  /** Returns the file for full reports of Stint's own faults. */
  public Path faults() {
    return directory.resolve("stint.log");
  }

  /** Returns the directory of keys and certificates. */
  public Path keys() {
    return directory.resolve("pki");
  }

  /** Returns the kubeconfig of the API of {@code stint up}. */
  public Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  /** Returns the file with the users that pods run as. */
  public Path podUsers() {
    return directory.resolve("pod-users");
  }

  /** Returns the file with the runtime whose pods may run. */
  public Path runtime() {
    return directory.resolve("runtime");
  }

  /** Returns the file with the delays after which failed pods are replaced. */
  public Path retryDelay() {
    return directory.resolve("retry-delay");
  }
}
