package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineSplitterTest {
  @Test
  void linesAreTheSameHoweverTheBytesAreSplit() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] text = "first\n\nsecond with ümlaut\nthird\nnot ended".getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 200; round++) {
      LineSplitter lines = new LineSplitter();
      List<String> found = new ArrayList<>();
      int from = 0;
      while (from < text.length) {
        int to = Math.min(text.length, from + random.nextInt(9));
        lines.split(
            Arrays.copyOfRange(text, from, to),
            line -> found.add(new String(line, StandardCharsets.UTF_8)));
        from = to;
      }
      assertThat(found).as("seed %d", seed).containsExactly("first", "second with ümlaut", "third");
    }
  }
}
