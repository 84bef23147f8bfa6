package dev.stint.runner.process.isolation;

import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.ShellScripts;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The isolation steps between a container's shim and its command: groups to join, mounts in a
 * namespace of its own, a user to become. The scripts arrange.sh, enter.sh and become.sh carry them
 * out. None of them, nor their programs, has a variable of the container before it runs as the
 * container's user.
 *
 * @param namespace the start of a command line that runs the rest in a namespace; empty for none
 * @param plan the mounts; null without a namespace
 * @param readOnly mounts to be made read-only, see {@link ReadOnlyRoot}
 * @param groups files to write 0 to
 * @param prefix the start of a command line that drops privileges; may be empty
 */
public record Arrangement(
    List<String> namespace,
    @Nullable MountPlan plan,
    List<String> readOnly,
    List<Path> groups,
    List<String> prefix) {
  /** The file that tells the shim of an arrangement, and that receives its faults. */
  private static final String FAULT = "fault";

  private static final String TABLE = "fstab";

  /** Writes the files that the scripts read. */
  public void prepare(AttemptDir dir) throws IOException {
    Files.writeString(dir.path().resolve(FAULT), "");
    if (!groups.isEmpty()) {
      Files.write(dir.path().resolve("cgroups"), groups.stream().map(Path::toString).toList());
    }
    if (plan != null) {
      for (MountPlan.Made made : plan.made()) {
        make(made);
      }
      Files.write(
          dir.path().resolve(TABLE), plan.table().stream().map(MountPlan.Line::text).toList());
    }
    if (!readOnly.isEmpty()) {
      Files.write(dir.path().resolve("readonly"), readOnly);
    }
  }

  /** True if an attempt was arranged in a namespace. */
  static boolean isNamespaced(AttemptDir dir) {
    return Files.exists(dir.path().resolve(TABLE));
  }

  /** Returns the command line for the shim. */
  public List<String> argv(Command command, AttemptDir dir, MachineCapabilities machine) {
    List<String> argv = new ArrayList<>(namespace);
    argv.addAll(
        List.of(
            "/bin/sh",
            "-c",
            ShellScripts.ARRANGE,
            ShellScripts.ARRANGE_NAME,
            dir.path().toString()));
    argv.addAll(List.of(machine.known("mount"), machine.known("chroot"), ShellScripts.ENTER));
    argv.add(plan == null || plan.root() == null ? "" : String.valueOf(plan.root()));
    argv.add(command.workingDir());
    argv.addAll(become(prefix, command));
    return argv;
  }

  /**
   * Returns the command line that runs a command as its user, and in its environment from then on.
   *
   * @param prefix the start of a command line that drops privileges; may be empty
   */
  static List<String> become(List<String> prefix, Command command) {
    List<String> argv = new ArrayList<>(prefix);
    argv.addAll(List.of("/bin/sh", "-c", ShellScripts.BECOME, ShellScripts.BECOME_NAME));
    argv.add(command.program());
    argv.addAll(command.argv());
    return argv;
  }

  private static void make(MountPlan.Made made) throws IOException {
    try {
      switch (made) {
        case MountPlan.Made.Directory directory -> {
          Files.createDirectory(directory.path());
          Files.setAttribute(directory.path(), "unix:mode", directory.forAll() ? 01777 : 0755);
        }
        case MountPlan.Made.File file -> Files.createFile(file.path());
        case MountPlan.Made.Link link -> Files.createSymbolicLink(link.path(), link.to());
      }
    } catch (FileAlreadyExistsException again) {
      // Made for another container of the pod, or by an earlier try to start.
    }
  }
}
