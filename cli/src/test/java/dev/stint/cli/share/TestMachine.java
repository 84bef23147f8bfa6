package dev.stint.cli.share;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.NodeOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.runner.process.user.InheritedNames;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Options of a machine for tests that open no directory. */
public final class TestMachine {
  private TestMachine() {}

  /**
   * Returns options that run processes.
   *
   * @param named the flags that the user has given
   */
  public static MachineOptions options(String... named) {
    NodeOptions node = new NodeOptions();
    PodOptions pods = node.pods(InheritedNames.ALL);
    return new MachineOptions(
        DataLocation.of(Path.of("/nowhere"), Map.of()),
        RuntimeKind.process,
        10,
        node.store(),
        EncryptionConfiguration.NONE,
        pods,
        ControllerOptions.defaults(),
        pods.surroundings(Map.of()),
        List.of(named));
  }
}
