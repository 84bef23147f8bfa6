package dev.stint.runner.process.shim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The same tests with the compiled shim instead of shells, and its additional features. */
class ShimsCompiledTest extends ShimsTest {
  @Override
  public ShimProgram shim() {
    return CompiledShim.program();
  }

  /** An upgrade or a removal of Stint takes the file away while Stint runs. */
  @Test
  void itRunsThoughItsFileIsGoneOrAnotherOne() throws Exception {
    Path copy = dir.resolve("shim");
    String file = CompiledShim.program().words().getFirst();
    assertThat(new ProcessBuilder("cp", file, copy.toString()).start().waitFor()).isZero();
    close();
    open(ShimProgram.compiled(copy));
    assertThat(sh("exit 3", true).get()).isEqualTo(ended(3));
    Files.delete(copy);
    assertThat(sh("exit 4", true).get()).isEqualTo(ended(4));
    Files.writeString(copy, "#!/bin/false");
    assertThat(sh("exit 5", true).get()).isEqualTo(ended(5));
  }

  /** With an old C library, the runner cannot close what it opens while it starts a shim. */
  @Test
  void commandsInheritNothingThatTheShimHasInherited() throws Exception {
    close();
    starter = List.of("/bin/sh", "-c", "exec 5</dev/null 7</dev/null; exec \"$0\" \"$@\"");
    open(shim());
    assertThat(run("[ ! -e /proc/$$/fd/5 ] && [ ! -e /proc/$$/fd/7 ]")).isEqualTo(ended(0));
  }

  @Test
  void itIsNamedInListsOfProcesses() throws Exception {
    run("cat /proc/$PPID/comm");
    assertThat(logs(0).path(LogStream.STDOUT)).hasContent("stint-shim");
  }

  @Test
  void itReportsWhetherTheCommandPrintedAnything() throws Exception {
    assertThat(run("exit 0")).isEqualTo(new Shims.End.Reported(0, true, false, false));
    assertThat(run("echo a")).isEqualTo(new Shims.End.Reported(0, false, false, false));
    assertThat(run("echo a >&2")).isEqualTo(new Shims.End.Reported(0, false, false, false));
  }

  @Test
  void aCommandWhoseOutcomeWouldNotFitOnTheDiskIsNotStarted() throws Exception {
    try (FullDisk disk = new FullDisk(dir.resolve("uid"))) {
      run(disk.fill());
      assertThat(run("echo it ran")).isInstanceOf(Shims.End.WithShim.class);
      assertThat(attempt(1).isUnderWay()).isFalse();
      assertThat(logs(1).path(LogStream.STDOUT)).doesNotExist();
    }
  }

  @Test
  void theDirectoryOfLogsIsMadeFromASpareOne() throws Exception {
    LogFiles spare = printed("spare", "");
    Files.setLastModifiedTime(spare.dir(), FileTime.fromMillis(0));
    Object key = key(spare);
    LogFiles next = files(dir.resolve("of/another/job/next"));
    assertThat(echo(next, spare)).isEqualTo(new Shims.End.Reported(0, false, false, false));
    assertThat(spare.dir()).doesNotExist();
    assertThat(key(next)).isEqualTo(key);
    assertThat(next.path(LogStream.STDOUT)).hasContent("a");
    assertThat(Files.getLastModifiedTime(next.dir()))
        .as("when it became that of the pod")
        .isGreaterThan(FileTime.fromMillis(0));
  }

  @Test
  void aSpareThatAProcessMayPrintToIsPutBack() throws Exception {
    LogFiles spare = printed("spare", "");
    try (var daemon = Files.newOutputStream(spare.path(LogStream.STDERR))) {
      assertGoesBack(spare);
      daemon.write(1);
    }
    assertThat(spare.path(LogStream.STDERR)).hasSize(1);
  }

  @Test
  void aSpareThatIsBeingReadIsPutBack() throws Exception {
    LogFiles spare = printed("spare", "");
    try (Closeable _ = Files.newInputStream(spare.path(LogStream.STDOUT))) {
      assertGoesBack(spare);
    }
  }

  @Test
  void aSpareWithOutputIsPutBack() throws Exception {
    assertGoesBack(printed("spare", "late"));
  }

  private void assertGoesBack(LogFiles spare) throws Exception {
    String before = Files.readString(spare.path(LogStream.STDOUT));
    LogFiles next = files(dir.resolve("next"));
    echo(next, spare);
    assertThat(spare.path(LogStream.STDOUT)).hasContent(before);
    assertThat(next.path(LogStream.STDOUT)).hasContent("a");
  }

  @Test
  void aSpareThatIsGoneIsReplacedByANewDirectory() throws Exception {
    LogFiles spare = files(dir.resolve("gone"));
    LogFiles next = files(dir.resolve("of/another/job/next"));
    echo(next, spare);
    assertThat(next.path(LogStream.STDOUT)).hasContent("a");
  }

  @Test
  void aDirectoryThatExistsByThenIsNotReplaced() throws Exception {
    LogFiles spare = printed("spare", "");
    LogFiles next = files(Files.createDirectory(dir.resolve("next")));
    Object key = Files.readAttributes(next.dir(), BasicFileAttributes.class).fileKey();
    echo(next, spare);
    assertThat(Files.readAttributes(next.dir(), BasicFileAttributes.class).fileKey())
        .isEqualTo(key);
    assertThat(spare.path(LogStream.STDOUT)).isEmptyFile();
    assertThat(next.path(LogStream.STDOUT)).hasContent("a");
  }

  @Test
  void logsInADirectoryOfTheRootAreNoFault() throws Exception {
    LogFiles spare = printed("spare", "");
    LogFiles next = files(Path.of("/proc"));
    assertThat(echo(next, spare)).isInstanceOf(Shims.End.Reported.class);
    assertThat(attempt(0).exit().orElseThrow().message())
        .startsWith("cannot write to \"/proc/main.0.stdout\"");
  }

  private Shims.End echo(LogFiles to, LogFiles spare) throws Exception {
    String script =
        ShimScript.text(
            Map.of(), dir.toString(), to, Optional.of(spare.dir()), List.of("echo", "a"));
    attempt(0).create();
    return start(Optional.empty(), script, false).get();
  }

  private static LogFiles files(Path of) {
    return new LogFiles(of, "main", 0);
  }

  private static Object key(LogFiles files) throws IOException {
    Path path = files.path(LogStream.STDOUT);
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private LogFiles printed(String name, String text) throws IOException {
    LogFiles files = files(Files.createDirectory(dir.resolve(name)));
    Files.writeString(files.path(LogStream.STDOUT), text);
    Files.createFile(files.path(LogStream.STDERR));
    return files;
  }
}
