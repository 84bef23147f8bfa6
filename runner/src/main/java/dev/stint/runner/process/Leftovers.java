package dev.stint.runner.process;

import dev.stint.runner.proc.BootId;
import dev.stint.runner.proc.ProcessTable;
import dev.stint.runner.process.command.AttemptDir;
import dev.stint.runner.process.shim.CommandKill;
import dev.stint.runner.runtime.ContainerRun;
import dev.stint.runner.runtime.Exit;
import dev.stint.runner.runtime.IdleLeftover;
import dev.stint.runner.runtime.ProcessId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The leftovers of an earlier life of the runtime: the directories of pods, and attempts that may
 * still run. For the watcher's thread.
 */
final class Leftovers {
  /** The state of an attempt that an earlier life started. */
  sealed interface State {
    record Ended(Exit exit) implements State {}

    /** Its shim exists, and runs the command. */
    record Running(int group) implements State {}

    /** The machine went down while it ran. */
    record Lost() implements State {}

    /** It is to be run again. */
    record Unfinished(String why) implements State {}
  }

  private final Path podsDir;
  private final String bootId;

  /** The pods that were not taken over yet. */
  private final Set<String> uids = new HashSet<>();

  Leftovers(Path podsDir, String bootId) throws IOException {
    this.podsDir = podsDir;
    this.bootId = bootId;
    visible(podsDir).forEach(pod -> uids.add(pod.getFileName().toString()));
  }

  Set<String> uids() {
    return Set.copyOf(uids);
  }

  /** True if the pod was not taken over yet, or not ended. */
  boolean isLeft(String uid) {
    return uids.contains(uid);
  }

  /** Returns a container's attempts if its pod was left; empty if it never ran. */
  Optional<AttemptHistoryOnDisk> history(ContainerRun run) throws IOException {
    String uid = run.pod().uid();
    Optional<AttemptHistoryOnDisk> found =
        uids.contains(uid)
            ? AttemptHistoryOnDisk.read(AttemptDir.containerDir(podsDir, uid, run.name()))
            : Optional.empty();
    ContainerRun.Told told = run.told();
    Optional<ProcessId> lost = lost(told);
    if (told == null || lost.isEmpty()) {
      return found;
    }
    AttemptDir dir = AttemptDir.of(podsDir, uid, run.name(), lost.get().number());
    return Optional.of(AttemptHistoryOnDisk.withTold(found, dir, told.restarts(), told.last()));
  }

  /**
   * Returns the ID of a run that was told to go on, in an earlier boot. No file of an attempt is
   * synced, so a loss of power may take its record, and its directory. Only what was told is
   * certain then.
   */
  private Optional<ProcessId> lost(ContainerRun.@Nullable Told told) {
    return Optional.ofNullable(told)
        .flatMap(run -> ProcessId.of(run.id()))
        .filter(id -> id.isOfAnotherBoot(BootId.tag(bootId)));
  }

  /** Returns the state of an attempt, from its record, its shim, and what was told of it. */
  State state(AttemptDir attempt, ContainerRun run) throws IOException {
    if (attempt.isInterrupted()) {
      return new State.Unfinished("was interrupted");
    }
    Optional<AttemptDir.Identity> shim = attempt.identity();
    // Asked in this order, since the shim writes the outcome before it ends.
    boolean running = isRunning(shim);
    Optional<Exit> exit = attempt.exit();
    if (exit.isPresent()) {
      return new State.Ended(exit.get());
    }
    if (running) {
      return new State.Running(shim.get().pid());
    }
    boolean lost = shim.isPresent() ? !isOfThisBoot(shim.get()) : lost(run.told()).isPresent();
    return lost ? new State.Lost() : new State.Unfinished("left no outcome");
  }

  private boolean isRunning(Optional<AttemptDir.Identity> shim) {
    return shim.isPresent() && isOfThisBoot(shim.get()) && shim.get().isThere();
  }

  private boolean isOfThisBoot(AttemptDir.Identity shim) {
    return shim.bootId().equals(bootId);
  }

  /**
   * True if a pod that was not taken over yet, and is not one of these, may still have running
   * processes.
   */
  boolean mayRunBesides(Set<String> takenOver) {
    return uids.stream().filter(uid -> !takenOver.contains(uid)).anyMatch(this::mayRun);
  }

  private boolean mayRun(String uid) {
    return idle(uid).isEmpty();
  }

  /** Returns the left pods that have no running processes. */
  Map<String, IdleLeftover> idle() {
    Map<String, IdleLeftover> idle = new HashMap<>();
    uids.forEach(uid -> idle(uid).ifPresent(found -> idle.put(uid, found)));
    return idle;
  }

  /** Returns what is left of a pod; empty if it may still have running processes. */
  private Optional<IdleLeftover> idle(String uid) {
    Set<String> ended = new HashSet<>();
    Set<String> lost = new HashSet<>();
    try {
      for (Path container : containers(uid)) {
        Optional<AttemptHistoryOnDisk> history = AttemptHistoryOnDisk.read(container);
        if (history.isPresent()) {
          AttemptDir latest = history.get().latest();
          Optional<AttemptDir.Identity> shim = latest.identity();
          if (isRunning(shim)) {
            return Optional.empty();
          }
          String name = container.getFileName().toString();
          if (hasEnded(latest)) {
            ended.add(name);
          } else if (shim.isPresent() && !isOfThisBoot(shim.get()) && !latest.isInterrupted()) {
            lost.add(name);
          }
        }
      }
      return Optional.of(new IdleLeftover(ended, lost));
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }

  private static boolean hasEnded(AttemptDir attempt) throws IOException {
    return !attempt.isInterrupted() && attempt.exit().isPresent();
  }

  /**
   * Kills what still runs of a pod that is to be forgotten.
   *
   * @param takenOver the containers whose attempts were taken over, and have ended
   * @return true if the pod was left
   */
  boolean killAll(String uid, Set<String> takenOver) throws IOException {
    if (!uids.remove(uid)) {
      return false;
    }
    for (Path container : containers(uid)) {
      if (!takenOver.contains(container.getFileName().toString())) {
        Optional<AttemptHistoryOnDisk> history = AttemptHistoryOnDisk.read(container);
        if (history.isPresent()) {
          kill(history.get().latest());
        }
      }
    }
    return true;
  }

  /**
   * Kills the rest of an attempt whose shim is not watched. If there is an outcome, the shim may
   * have gone on to another attempt, and is left alone.
   */
  void kill(AttemptDir attempt) throws IOException {
    Optional<AttemptDir.Identity> shim = attempt.identity();
    if (shim.isPresent() && isOfThisBoot(shim.get()) && attempt.exit().isEmpty()) {
      killGroup(shim.get());
    }
  }

  /**
   * Kills the process group of a shim that is not a child of ours. While the group has members, the
   * system does not reuse its number; if another process has that number, the group has none left.
   */
  static void killGroup(AttemptDir.Identity shim) {
    if (shim.isThere() || ProcessTable.hasEnded(shim.pid())) {
      CommandKill.killWithShim(shim.pid());
    }
  }

  /** Returns the directories of a pod's containers. */
  private List<Path> containers(String uid) throws IOException {
    return visible(AttemptDir.podDir(podsDir, uid));
  }

  /** Returns the directories of pods, or of a pod's containers, except hidden ones. */
  private static List<Path> visible(Path dir) throws IOException {
    List<Path> visible = new ArrayList<>();
    if (Files.isDirectory(dir, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(dir, "[!.]*")) {
        found.forEach(visible::add);
      } catch (NoSuchFileException gone) {
        return visible;
      }
    }
    return visible;
  }
}
