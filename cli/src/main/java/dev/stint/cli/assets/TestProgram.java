package dev.stint.cli.assets;

import dev.stint.cli.output.Console;
import java.util.Optional;

/**
 * A program of test environments. It takes the flags of another program, so that it is no command
 * like others: help and completion do not list it, and no configuration holds for it.
 */
@FunctionalInterface
public interface TestProgram {
  /** Returns the program of a name. */
  static Optional<TestProgram> named(String name, Console console) {
    return switch (name) {
      case "kube-apiserver" -> Optional.of(new ApiServerProgram(console));
      case "etcd" -> Optional.of(new EtcdProgram(console));
      default -> Optional.empty();
    };
  }

  /** Runs it until it is ended, and returns its exit status. */
  int run(String... args);
}
