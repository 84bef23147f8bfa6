package dev.stint.bench.day;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SampleTest {
  @Test
  void aLineIsReadBack() {
    Sample sample = new Sample(61, Map.of(Figure.HEAP, 197.5, Figure.LOAD, 0.1));
    assertThat(Sample.parse(sample.line()).figures())
        .containsEntry(Figure.HEAP, 197.5)
        .containsEntry(Figure.THREADS, 0.0)
        .containsEntry(Figure.LOAD, 0.1);
    assertThat(Sample.HEADER).startsWith("second,heap,resident,").endsWith(",load");
  }

  @Test
  void theHeapIsThatOfAllGenerations() {
    String info =
        """
        4711:
        def new generation   total 9792K, used 2000K [0x1, 0x2, 0x3)
         eden space 8704K,  2% used [0x1, 0x2, 0x3)
        tenured generation   total 21888K, used 1000K [0x1, 0x2, 0x3)
          the space 21888K,  43% used [0x1, 0x2, 0x3)
         Metaspace       used 40000K, committed 41000K, reserved 1114112K
        """;
    assertThat(DayServer.heapBytes(info)).isEqualTo(3000 * 1024);
  }
}
