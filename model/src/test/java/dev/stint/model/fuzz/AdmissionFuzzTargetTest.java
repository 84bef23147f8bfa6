package dev.stint.model.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The seeds from which Jazzer starts, its findings, and some thousand variants of each. */
class AdmissionFuzzTargetTest {
  private static final int VARIANTS = 1000;

  @ParameterizedTest
  @MethodSource("seeds")
  void anyBytesGetAnAnswer(Path seed) throws IOException {
    byte[] bytes = Files.readAllBytes(seed);
    Random random = new Random(seed.getFileName().toString().hashCode());
    assertThatCode(() -> AdmissionFuzzTarget.fuzzerTestOneInput(bytes)).doesNotThrowAnyException();
    for (int i = 0; i < VARIANTS; i++) {
      byte[] variant = variant(bytes, random);
      assertThatCode(() -> AdmissionFuzzTarget.fuzzerTestOneInput(variant))
          .as("variant %d of %s", i, seed.getFileName())
          .doesNotThrowAnyException();
    }
  }

  static List<Path> seeds() {
    try (Stream<Path> files =
        Files.list(
            Path.of(
                Objects.requireNonNull(AdmissionFuzzTargetTest.class.getResource("seeds"))
                    .toURI()))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a variant: up to four bytes changed, and sometimes a part removed or repeated. */
  private static byte[] variant(byte[] bytes, Random random) {
    byte[] variant = bytes.clone();
    for (int i = random.nextInt(5); i > 0 && variant.length > 0; i--) {
      variant[random.nextInt(variant.length)] = (byte) random.nextInt(32, 127);
    }
    int from = random.nextInt(variant.length + 1);
    int to = random.nextInt(from, Math.min(variant.length, from + 20) + 1);
    int times = random.nextInt(3);
    byte[] changed = new byte[variant.length + (times - 1) * (to - from)];
    System.arraycopy(variant, 0, changed, 0, from);
    for (int i = 0; i < times; i++) {
      System.arraycopy(variant, from, changed, from + i * (to - from), to - from);
    }
    System.arraycopy(variant, to, changed, from + times * (to - from), variant.length - to);
    return changed;
  }
}
