package dev.stint.runner.process.command;

import dev.stint.model.item.ItemText;
import dev.stint.runner.file.MarkFile;
import dev.stint.runner.log.LogTree;
import dev.stint.runner.proc.ProcStatus;
import dev.stint.runner.proc.ProcessMemory;
import dev.stint.runner.process.SpareDirs;
import dev.stint.runner.process.isolation.ContainerIsolation;
import dev.stint.runner.process.shim.ShimScript;
import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The record of one attempt, in a directory of its own.
 *
 * <ul>
 *   <li>{@code script}: the shim's script, see {@link ShimScript}, unless it came with the request
 *   <li>{@code pid}: uid, process ID, boot ID and owner, written by the shim right before it runs
 *       the command; the owner identifies one life of the runtime
 *   <li>{@code exit}: one line {@code UID CODE}, and behind it maybe {@code Stopped} if the shim
 *       was told to end, too, and {@code StartError [MESSAGE]}, {@code Lost} or {@code Signal
 *       NUMBER}; written by the shim, or by the runtime if the shim could not
 *   <li>{@code oom}: exists if the system killed it for lack of memory
 *   <li>{@code message}: the container's termination message
 *   <li>{@code fault}, {@code env}, {@code fstab}, {@code cgroups}, {@code readonly}, {@code
 *       views}: its arrangement, see {@link ContainerIsolation}
 *   <li>{@code interrupted}: exists if the attempt does not count
 * </ul>
 *
 * The files {@code script}, {@code pid} and {@code exit} may hold what an attempt of another pod
 * has left (see {@link SpareDirs}), or an empty line, by which the shim reserves their place on the
 * disk: a command may fill that. Their lines begin with the uid of their pod, and only the first
 * line counts. A line without an end counts as none: its writer was cut off.
 */
public record AttemptDir(Path path) {
  private static final String LOST = "Lost";
  private static final String STOPPED = " Stopped";
  public static final String SHIM_NAME = "stint-shim";

  /** The number by which the scripts have the file of the container's variables open. */
  private static final int ENVIRONMENT = 9;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_READS =
      PosixFilePermissions.fromString("rw-------");

  /**
   * The shim that runs, or ran, the attempt, and maybe others after it.
   *
   * @param user the user that recorded it
   */
  public record Identity(int pid, String bootId, String owner, long user) {
    /** True if the shim exists, whatever it runs. Its command line names its owner. */
    public boolean isThere() {
      if (!mayBeShim()) {
        return false;
      }
      List<String> words = List.of(commandLine(pid).split("\0"));
      int name = words.indexOf(SHIM_NAME);
      return name >= 0 && name + 1 < words.size() && words.get(name + 1).equals(owner);
    }

    /**
     * True if the process has the user of shims. Otherwise a pod's process may have got the number,
     * and a read of its command line could wait for ever, see {@link ProcessMemory}.
     */
    private boolean mayBeShim() {
      try {
        long now = ProcStatus.of(pid).realUser();
        return now == user || now == ProcStatus.own().realUser();
      } catch (IOException ended) {
        return false;
      }
    }
  }

  public static AttemptDir of(Path podsDir, String uid, String container, int number) {
    return new AttemptDir(containerDir(podsDir, uid, container).resolve(String.valueOf(number)));
  }

  /** Returns the directory of all attempts of a container. */
  public static Path containerDir(Path podsDir, String uid, String container) {
    return podDir(podsDir, uid).resolve(LogTree.segment(container));
  }

  /** Returns the directory of all attempts of a pod. */
  public static Path podDir(Path podsDir, String uid) {
    return podsDir.resolve(LogTree.segment(uid));
  }

  public int number() {
    return Integer.parseInt(path.getFileName().toString());
  }

  public String container() {
    return path.getName(path.getNameCount() - 2).toString();
  }

  private String uid() {
    return podDir().getFileName().toString();
  }

  public Path podDir() {
    return parent(parent(path));
  }

  private static Path parent(Path of) {
    return Objects.requireNonNull(of.getParent());
  }

  /** Makes the directory from one that another pod has left, or anew if that is impossible. */
  public void createFrom(Path spare) throws IOException {
    try {
      Files.move(spare, podDir(), StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException taken) {
      create();
    }
  }

  /** Creates the directory of the pod, which only Stint's user may enter. */
  public void createPodDir() throws IOException {
    Files.createDirectories(podDir(), PosixFilePermissions.asFileAttribute(OWNER_ONLY));
  }

  public void create() throws IOException {
    Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
  }

  public Optional<Identity> identity() throws IOException {
    Optional<String> line = line("pid");
    if (line.isEmpty()) {
      return Optional.empty();
    }
    String[] parts = line.get().split(" ", 3);
    int user = (int) Files.getAttribute(path.resolve("pid"), "unix:uid");
    return Optional.of(
        new Identity(
            Integer.parseInt(parts[0]),
            parts[1],
            parts.length > 2 ? parts[2] : "",
            Integer.toUnsignedLong(user)));
  }

  /** True if signals to the process group reach the command. */
  public boolean isUnderWay() {
    try {
      return line("pid").isPresent();
    } catch (IOException unreadable) {
      return false;
    }
  }

  public void write(String script) throws IOException {
    overwrite("script", script);
  }

  /** Returns the end of the attempt, if known. */
  public Optional<Exit> exit() throws IOException {
    Optional<String> line = line("exit");
    if (line.isEmpty()) {
      return Optional.empty();
    }
    String[] parts = line.get().replaceFirst("^(\\d+)" + STOPPED, "$1").split(" ", 3);
    int code = Integer.parseInt(parts[0]);
    Instant finished = Files.getLastModifiedTime(path.resolve("exit")).toInstant();
    if (parts.length > 1 && parts[1].equals(Exit.START_ERROR)) {
      return Optional.of(Exit.startError(parts.length > 2 ? parts[2] : "", finished));
    }
    if (parts.length > 1 && parts[1].equals(LOST)) {
      return Optional.of(Exit.lost(startedAt(finished), finished));
    }
    Integer signal = parts.length > 2 ? Integer.valueOf(parts[2]) : null;
    Exit exit = Exit.of(code, signal, startedAt(finished), finished);
    return Optional.of(wasOutOfMemory() ? exit.withReason(Exit.OOM_KILLED) : exit);
  }

  public void write(Exit exit) throws IOException {
    String line = String.valueOf(exit.code());
    if (exit.reason().equals(Exit.START_ERROR)) {
      line += " " + Exit.START_ERROR + " " + exit.message().replace('\n', ' ');
    } else if (exit.isLost()) {
      line += " " + LOST;
    } else if (exit.signal() != null) {
      line += " Signal " + exit.signal();
    }
    overwrite("exit", uid() + " " + line + "\n");
  }

  public Instant startedAt(Instant otherwise) throws IOException {
    return isUnderWay() ? Files.getLastModifiedTime(path.resolve("pid")).toInstant() : otherwise;
  }

  public Path messageFile() {
    return path.resolve("message");
  }

  /** Returns the file of the container's variables, as commands of a shell. */
  public Path environmentFile() {
    return path.resolve("env");
  }

  /**
   * True if a process is one of the programs between the shim and the command: they have the file
   * of the container's variables open. False for a process that has ended.
   */
  public boolean isArrangedBy(int pid) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/fd/" + ENVIRONMENT))
          .equals(environmentFile().toRealPath());
    } catch (IOException none) {
      return false;
    }
  }

  /** Writes the container's variables, which only Stint's user may read. */
  public void writeEnvironment(String exports) throws IOException {
    Files.deleteIfExists(environmentFile());
    Files.createFile(environmentFile(), PosixFilePermissions.asFileAttribute(OWNER_READS));
    Files.write(environmentFile(), ItemText.bytes(exports));
  }

  /**
   * True if that file sets all variables. Those of earlier versions lack the ones whose names no
   * shell can set.
   */
  public boolean setsAllVariables() throws IOException {
    return Files.readString(environmentFile(), StandardCharsets.ISO_8859_1)
        .contains("__stint_run() {");
  }

  boolean wasOutOfMemory() {
    return Files.exists(path.resolve("oom"));
  }

  public void markOutOfMemory() throws IOException {
    Files.writeString(path.resolve("oom"), "");
  }

  /**
   * True if the attempt does not count: it was marked, or it failed while all processes were told
   * to end, and Stint, which would know whether it was told, too, was gone.
   */
  public boolean isInterrupted() throws IOException {
    return Files.exists(path.resolve("interrupted")) || hasFailedWhenStopped();
  }

  /** True if the shim recorded that it was told to end, too. */
  public boolean wasStopped() throws IOException {
    return line("exit").filter(line -> line.matches("\\d+" + STOPPED + "( .*)?")).isPresent();
  }

  /** True if the shim was told to end, too, and the command has not succeeded all the same. */
  private boolean hasFailedWhenStopped() throws IOException {
    return wasStopped() && exit().filter(Exit::isError).isPresent();
  }

  /** Marks the attempt, unless it has ended by itself. */
  public void markInterrupted() throws IOException {
    if (line("exit").isEmpty() || hasFailedWhenStopped()) {
      create();
      MarkFile.make(path.resolve("interrupted"), path.resolve("pid"));
    }
  }

  /**
   * Returns the command line of a process; empty for one that has ended, reaped or not. Not for a
   * process that may be hostile, see {@link ProcessMemory}.
   */
  public static String commandLine(int pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  /** Writes a file without truncating it first: that would wait for the disk. */
  private void overwrite(String file, String text) throws IOException {
    try {
      write(file, text);
    } catch (NoSuchFileException shimHasNotMadeIt) {
      create();
      write(file, text);
    }
  }

  private void write(String file, String text) throws IOException {
    Files.write(
        path.resolve(file),
        ItemText.bytes(text),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE);
  }

  /**
   * Returns the first line of a file after the uid, if the line is complete and about this attempt.
   */
  private Optional<String> line(String file) throws IOException {
    try {
      // A message may hold bytes of a file's name that are no text; they must not hide the outcome.
      String text = new String(Files.readAllBytes(path.resolve(file)), StandardCharsets.UTF_8);
      String uid = uid() + " ";
      int end = text.indexOf('\n');
      return end >= 0 && text.startsWith(uid)
          ? Optional.of(text.substring(uid.length(), end).stripTrailing())
          : Optional.empty();
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }
}
