package dev.stint.runner.container;

import java.util.ArrayList;
import java.util.List;

/**
 * Docker, whose containers outlive it ({@code live-restore}), as does the daemon below it that runs
 * them.
 */
final class Docker extends TestDaemon {
  private final Process containerd;

  Docker() throws Exception {
    super("containerd", "dockerd", "docker");
    containerd =
        started(
            new ProcessBuilder(
                "containerd",
                "--root=" + path("containerd"),
                "--state=" + path("containerd-run"),
                "--address=" + path("containerd.sock")),
            "successfully booted");
    startService();
    call("import", archive().toString(), IMAGE);
  }

  @Override
  ProcessBuilder service() {
    return new ProcessBuilder(
        "dockerd",
        "--live-restore",
        "--storage-driver=vfs",
        "--iptables=false",
        "--ip-masq=false",
        "--containerd=" + path("containerd.sock"),
        "--data-root=" + path("root"),
        "--exec-root=" + path("run"),
        "--pidfile=" + path("pid"),
        "--host=unix://" + socket());
  }

  @Override
  String listening() {
    return "API listen on";
  }

  @Override
  ProcessBuilder client(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("docker", "--host=unix://" + socket()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  /** Repeats until none is left: a container that is being removed cannot be removed again. */
  @Override
  void removeContainers() throws Exception {
    for (String all = containers(); !all.isBlank(); all = containers()) {
      List<String> remove = new ArrayList<>(List.of("rm", "--force"));
      remove.addAll(all.lines().toList());
      ProcessBuilder builder = client(remove);
      builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      var _ = builder.start().onExit().get();
    }
  }

  private String containers() throws Exception {
    return call("ps", "--all", "--quiet");
  }

  @Override
  void remove() throws Exception {
    end(containerd);
    // Each start mounts it again, and only an orderly end unmounts it.
    output(
        new ProcessBuilder(
            "sh", "-c", "while umount -l \"$1\"; do :; done", "sh", path("root") + ""));
    super.remove();
  }
}
