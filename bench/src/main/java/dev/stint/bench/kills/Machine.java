package dev.stint.bench.kills;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A machine that loses its power, as far as processes can tell: a PID namespace with a boot ID of
 * its own. The kernel kills all that runs in it at once, and the next one begins with the PIDs of
 * the one before. Files stay as they are.
 */
final class Machine implements AutoCloseable {
  private static final String BOOT_ID = "proc/sys/kernel/random/boot_id";
  private static final String INIT =
      "mount --bind \"$0\" /proc/sys/kernel/random/boot_id && while :; do sleep 1000 & wait; done";
  private static final int POLL_MILLIS = 2;

  private final Path directory;
  private final boolean isEntered;
  private final RandomGenerator random;
  private final List<String> boots = new ArrayList<>();

  /** The commands that do not end with the machine. */
  private final List<Process> outside = new ArrayList<>();

  private Process namespace;
  private ProcessHandle init;

  /** A command that runs on the machine. */
  static final class Command {
    private final Process process;
    private final boolean isEntered;

    /** Its own process; it takes a search to find it. */
    private volatile @Nullable ProcessHandle handle;

    private Command(Process process, boolean isEntered) {
      this.process = process;
      this.isEntered = isEntered;
    }

    boolean isAlive() {
      return process.isAlive();
    }

    int waitFor() throws InterruptedException {
      return process.waitFor();
    }

    /** Waits for the end for a limited time. Returns true if the command has ended. */
    boolean endsWithin(Duration longest) throws InterruptedException {
      return process.waitFor(longest);
    }

    /** Returns the PID outside of the machine. */
    long pid() throws InterruptedException {
      return handle().pid();
    }

    private ProcessHandle handle() throws InterruptedException {
      ProcessHandle found = handle;
      if (found == null) {
        found = isEntered ? child(process) : process.toHandle();
        handle = found;
      }
      return found;
    }

    /** Kills the command, and nothing that it has started. */
    void kill() throws InterruptedException {
      signal();
      process.waitFor();
    }

    /** Kills the command, and doesn't wait for its end. */
    void signal() throws InterruptedException {
      handle().destroyForcibly();
    }
  }

  private Machine(Path directory, RandomGenerator random, boolean isEntered)
      throws IOException, InterruptedException {
    this.directory = directory;
    this.isEntered = isEntered;
    this.random = random;
    this.namespace = boot();
    this.init = child(namespace);
  }

  /**
   * Boots a machine that keeps its files in a directory.
   *
   * @param isEntered false if its commands run outside of it, so that no loss of power kills them:
   *     a daemon of containers has to see the paths in {@code /proc} that they name
   */
  static Machine start(Path directory, RandomGenerator random, boolean isEntered)
      throws IOException, InterruptedException {
    Machine machine = new Machine(directory, random, isEntered);
    machine.awaitBoot();
    return machine;
  }

  /** Returns the short names of the boots so far, the last one included. */
  List<String> boots() {
    return List.copyOf(boots);
  }

  /** Returns the short name of the boot with this ID: what comes before its first hyphen. */
  private static String name(String bootId) {
    return bootId.substring(0, bootId.indexOf('-'));
  }

  private Process boot() throws IOException {
    String id = new UUID(random.nextLong(), random.nextLong()).toString();
    boots.add(name(id));
    Path file = Files.writeString(directory.resolve("boot-" + boots.size()), id + "\n");
    return new ProcessBuilder(
            "setpriv",
            "--pdeathsig",
            "KILL",
            "unshare",
            "--pid",
            "--fork",
            "--mount",
            "--mount-proc",
            "--kill-child",
            "sh",
            "-c",
            INIT,
            file.toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("machine.log").toFile())
        .start();
  }

  private void awaitBoot() throws IOException, InterruptedException {
    Path shown = Path.of("/proc", Long.toString(init.pid()), "root", BOOT_ID);
    while (!Files.readString(shown).startsWith(boots.getLast())) {
      if (!namespace.isAlive()) {
        throw new IOException("no machine: " + Files.readString(directory.resolve("machine.log")));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Waits until a process has started its only child, which is there until the process ends. */
  private static ProcessHandle child(Process process) throws InterruptedException {
    while (process.isAlive()) {
      List<ProcessHandle> children = process.children().toList();
      if (!children.isEmpty()) {
        return children.getFirst();
      }
      Thread.sleep(POLL_MILLIS);
    }
    return process.toHandle();
  }

  /** Starts a command whose output is appended to a file. */
  Command start(List<String> command, Path output) throws IOException {
    List<String> all = new ArrayList<>();
    if (isEntered) {
      all.addAll(List.of("nsenter", "-p", "-m", "-t", Long.toString(init.pid())));
    }
    all.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(all)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().put("STINT_JAVA_OPTS", "-Xmx256m");
    Process process = builder.start();
    if (!isEntered) {
      outside.add(process);
    }
    return new Command(process, isEntered);
  }

  /** Kills all processes at once, and boots again. */
  void losePower() throws IOException, InterruptedException {
    close();
    namespace = boot();
    init = child(namespace);
    awaitBoot();
  }

  /** Kills all processes at once. */
  @Override
  public void close() {
    outside.forEach(Process::destroyForcibly);
    init.destroyForcibly();
    // Ends only when the kernel has killed every process of the namespace.
    namespace.onExit().join();
  }
}
