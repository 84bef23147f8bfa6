package dev.stint.bench.kills;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;

/**
 * Looks again and again which commands have the store of a data directory open, as the kernel tells
 * it. One at a time may.
 */
final class HolderWatch implements AutoCloseable {
  private static final int PAUSE_MILLIS = 20;

  private final Path store;
  private final Map<Machine.Command, Long> pids = new ConcurrentHashMap<>();
  private final Set<String> violations = new CopyOnWriteArraySet<>();
  private volatile boolean goesOn = true;

  private HolderWatch(Path store) {
    this.store = store;
  }

  static HolderWatch of(Path data) {
    HolderWatch watch = new HolderWatch(data.resolve("store"));
    Thread.ofPlatform().daemon().start(watch::watch);
    return watch;
  }

  /** Looks at this command, too, until it ends. */
  void add(Machine.Command command) throws InterruptedException {
    pids.put(command, command.pid());
  }

  /** Returns what it saw that must not be. */
  Set<String> violations() {
    return violations;
  }

  /** True if a command has the store open. */
  boolean isHolder(Machine.Command command) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(files(command))) {
      for (Path file : all) {
        if (isOfStore(file)) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException ended) {
      return false;
    }
  }

  private Path files(Machine.Command command) {
    return Path.of("/proc", String.valueOf(pids.get(command)), "fd");
  }

  private boolean isOfStore(Path file) {
    try {
      return Files.readSymbolicLink(file).startsWith(store);
    } catch (IOException closed) {
      return false;
    }
  }

  private void watch() {
    try {
      while (goesOn) {
        pids.keySet().removeIf(each -> !each.isAlive());
        List<Machine.Command> found = atOnce(pids.keySet(), this::isHolder);
        if (found.size() > 1) {
          violations.add(
              "several processes have the store open: " + found.stream().map(pids::get).toList());
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns those that hold for certain while the others do: they still do at a second look. */
  static <T> List<T> atOnce(Collection<T> candidates, Predicate<T> holds) {
    List<T> first = candidates.stream().filter(holds).toList();
    return first.size() < 2 ? first : first.stream().filter(holds).toList();
  }

  @Override
  public void close() {
    goesOn = false;
  }
}
