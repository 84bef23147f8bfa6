package dev.stint.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random worlds in which several commands share a data directory. */
class SharedDirectoriesTest {
  private static final int WORLDS = Integer.getInteger("worlds", 40);

  @Test
  void commandsGoOnWhoeverHoldsTheDirectory() {
    long first = Long.getLong("first", 1);
    LongStream.range(first, first + WORLDS).parallel().forEach(SharedDirectoriesTest::play);
  }

  /**
   * A Job was deleted before its command had listed it, and interrupted before all were submitted;
   * a holder ended while a write was looked up, and while it was joined; a Job was left and taken
   * up while a pod was being created; a command stood still while it joined the holder; restarts of
   * a container whose outcome was lost were forgotten, though its index had failed by them.
   */
  @ParameterizedTest
  @ValueSource(longs = {385, 511, 755, 2155, 2619, 2692, 3910})
  void worldsThatOnceFoundSomethingAreGood(long seed) {
    play(seed);
  }

  @Test
  void aSeedPlaysTheSameEveryTime() {
    assertThat(digest(3)).isEqualTo(digest(3));
  }

  /** Copies of sets and maps have an order of the JVM's own, from which nothing may follow. */
  @Test
  void aSeedPlaysTheSameInEachJvm() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OtherJvm.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String told = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(told.strip()).endsWith(OtherJvm.digests());
  }

  /** Prints the digests of some worlds. */
  static final class OtherJvm {
    private OtherJvm() {}

    public static void main(String... none) {
      System.out.println(digests());
    }

    static String digests() {
      return LongStream.of(3, 4)
          .mapToObj(seed -> Long.toHexString(digest(seed)))
          .toList()
          .toString();
    }
  }

  private static long digest(long seed) {
    SharedDirectoryRun run = new SharedDirectoryRun(seed);
    run.play();
    return run.digest();
  }

  private static void play(long seed) {
    try {
      WorldKind.SHARED_DIRECTORY.world(seed).play();
    } catch (AssertionError broken) {
      throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
    }
  }
}
