package dev.stint.runner.process.isolation;

import dev.stint.runner.file.Handle;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.command.ShellScripts;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The isolation steps between a container's shim and its command: groups to join, mounts in a
 * namespace of its own, a user to become. The scripts arrange.sh, enter.sh and become.sh carry them
 * out. None of them, nor their programs, has a variable of the container before it runs as the
 * container's user.
 *
 * @param namespace the start of a command line that runs the rest in a namespace; empty for none
 * @param plan the mounts; null without a namespace
 * @param parts what is mounted before all other mounts, since those need it
 * @param readOnly mounts to be made read-only, see {@link ReadOnlyRoot}
 * @param groups files to write 0 to
 * @param hidden what the container does not see of this machine
 * @param entry the start of a command line that becomes the user, see {@link Setpriv#entry}
 * @param guarded true if root arranges it for another user, who may try to direct mounts elsewhere
 */
public record ContainerIsolation(
    List<String> namespace,
    @Nullable MountPlan plan,
    List<PinnedMount> parts,
    List<String> readOnly,
    List<Path> groups,
    MaskedParts hidden,
    List<String> entry,
    boolean guarded)
    implements AutoCloseable {
  /** The variable that goes before all others of the locale. */
  public static final String LOCALE = "LC_ALL";

  /**
   * The variables of the programs before the container's user is set, on top of the inherited ones.
   * The programs translate nothing: a container may have mounted translations, and programs use
   * them as formats.
   */
  public static final Map<String, String> ENVIRONMENT = Map.of(LOCALE, "C");

  /** The file that tells the shim that there are such steps, and that receives its faults. */
  private static final String FAULT = "fault";

  private static final String TABLE = "fstab";
  private static final String PARTS = "parts";

  /** Writes the files that the scripts read. */
  public void prepare(AttemptDir dir) throws IOException {
    Files.writeString(dir.path().resolve(FAULT), "");
    hidden.prepare(dir);
    if (!groups.isEmpty()) {
      Files.write(groupsFile(dir), groups.stream().map(Path::toString).toList());
    }
    if (plan != null) {
      prepareParts(dir);
      for (MountPlan.Made made : plan.made()) {
        make(made);
      }
      Files.write(
          dir.path().resolve(TABLE), plan.table().stream().map(MountPlan.Line::text).toList());
      if (guarded) {
        Files.write(dir.path().resolve("planned"), plan.places());
      }
    }
    if (!readOnly.isEmpty()) {
      Files.write(dir.path().resolve("readonly"), readOnly);
    }
  }

  private void prepareParts(AttemptDir dir) throws IOException {
    List<String> expected = new ArrayList<>();
    for (PinnedMount part : parts) {
      part.prepare();
      expected.add(part.expected());
    }
    if (!parts.isEmpty()) {
      Files.write(
          dir.path().resolve(PARTS), parts.stream().map(part -> part.line().text()).toList());
      Files.write(dir.path().resolve("expected"), expected);
    }
  }

  /** Called when the container has ended, or was not started. */
  @Override
  public void close() {
    parts.forEach(part -> part.handle().close());
  }

  /**
   * Returns the file that lists the files to write 0 to, to join an attempt's control groups. It
   * does not exist without limits.
   */
  static Path groupsFile(AttemptDir dir) {
    return dir.path().resolve("cgroups");
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
    List.of("mount", "stat", "chroot").forEach(name -> argv.add(machine.known(name)));
    argv.add(plan == null || plan.root() == null ? "" : String.valueOf(plan.root()));
    argv.addAll(become(entry, command));
    return argv;
  }

  /**
   * Returns the command line that runs a command as its user, in its working directory, and in its
   * environment from then on. Only what that user may enter is entered.
   *
   * @param entry the start of a command line that becomes the user, see {@link Setpriv#entry}
   */
  static List<String> become(List<String> entry, Command command) {
    List<String> argv = new ArrayList<>(entry);
    argv.add(command.workingDir());
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
        case MountPlan.Made.Inner inner -> make(inner);
      }
    } catch (FileAlreadyExistsException again) {
      // Made for another container of the pod, or by an earlier try to start.
    }
  }

  private static void make(MountPlan.Made.Inner inner) throws IOException {
    Path parent = inner.rest().getParent();
    try (Handle volume = Handle.open(inner.volume());
        Handle above = parent == null ? volume.copy() : volume.makeBeneath(parent, 0755)) {
      Path name = Objects.requireNonNull(inner.rest().getFileName());
      if (inner.directory()) {
        above.makeBeneath(name, 0755).close();
      } else {
        above.createFile(name.toString());
      }
    }
  }
}
