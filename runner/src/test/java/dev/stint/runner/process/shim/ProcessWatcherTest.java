package dev.stint.runner.process.shim;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.process.command.Posix;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessWatcherTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final MethodHandle DUP =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("dup"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  /** As when another thread starts a process, which has a copy of all descriptors for a moment. */
  @Test
  void aCopyOfADescriptorDoesNotMakeTheNextProcessEnd() throws Throwable {
    int first = sleep();
    int second = sleep();
    CompletableFuture<Void> firstEnded = new CompletableFuture<>();
    AtomicBoolean secondEnded = new AtomicBoolean();
    int copy;
    try (ProcessWatcher watcher = new ProcessWatcher(true)) {
      watch(watcher, first, () -> firstEnded.complete(null));
      copy = (int) DUP.invokeExact(pidfd());
      Posix.kill(first, 9);
      firstEnded.get();
      watch(watcher, second, () -> secondEnded.set(true));
      CompletableFuture.runAsync(() -> {}, watcher).get();
      CompletableFuture.runAsync(() -> {}, watcher).get();
      assertThat(secondEnded).isFalse();
    } finally {
      Posix.kill(second, 9);
    }
    Posix.close(copy);
    Posix.await(first);
    Posix.await(second);
  }

  private static void watch(ProcessWatcher watcher, int pid, Runnable ended) throws Exception {
    CompletableFuture.runAsync(() -> watcher.watch(pid, ended), watcher).get();
  }

  private static int sleep() {
    return Posix.spawn(List.of("/bin/sleep", "1000"), List.of());
  }

  private static int pidfd() throws IOException {
    try (Stream<Path> all = Files.list(DESCRIPTORS)) {
      return all.filter(ProcessWatcherTest::isPidfd)
          .mapToInt(each -> Integer.parseInt(each.getFileName().toString()))
          .findFirst()
          .orElseThrow();
    }
  }

  private static boolean isPidfd(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.contains("pidfd");
    } catch (IOException closed) {
      return false;
    }
  }
}
