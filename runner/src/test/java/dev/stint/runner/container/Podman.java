package dev.stint.runner.container;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Podman, configured to run even without systemd and with hybrid control groups. */
final class Podman extends TestDaemon {
  Podman() throws Exception {
    super("podman", "runc");
    Files.writeString(path("containers.conf"), conf(path("networks")));
    call("import", archive().toString(), IMAGE);
    startService();
  }

  private static String conf(Path networks) {
    return """
    [containers]
    default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
    [engine]
    cgroup_manager = "cgroupfs"
    runtime = "runc"
    events_logger = "file"
    [network]
    network_config_dir = "%s"
    """
        .formatted(networks);
  }

  @Override
  ProcessBuilder service() {
    return client(
        List.of("--log-level=info", "system", "service", "--time=0", "unix://" + socket()));
  }

  @Override
  String listening() {
    return "API service listening";
  }

  @Override
  ProcessBuilder client(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("podman", "--storage-driver=vfs"));
    command.add("--root=" + path("root"));
    command.add("--runroot=" + path("run"));
    command.add("--tmpdir=" + path("tmp"));
    command.addAll(arguments);
    // Its monitor of containers leaves files in the directory in which it was started.
    ProcessBuilder builder = new ProcessBuilder(command).directory(path("").toFile());
    builder.environment().put("CONTAINERS_CONF", path("containers.conf").toString());
    return builder;
  }

  /** Containers on which others depend are removed in the second round. */
  @Override
  void removeContainers() throws Exception {
    for (int i = 0; i < 2; i++) {
      ProcessBuilder builder = client(List.of("rm", "--all", "--force", "--time=0"));
      builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      var _ = builder.start().onExit().get();
    }
  }
}
