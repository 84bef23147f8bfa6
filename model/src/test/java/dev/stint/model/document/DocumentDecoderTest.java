package dev.stint.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.stint.model.field.FieldError;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bodies with many faults, or faults at long paths, cost little more than their size. */
class DocumentDecoderTest {
  private static final int LEVELS = 20;

  /** The longest name of a member that the parser takes is a little longer. */
  private static final String LONG_NAME = "x".repeat(49_000);

  @Test
  void aHundredFaultsOfEachTypeAreReported() {
    assertThat(read("{" + members(300, "u", "1") + "}")).hasSize(100);
    assertThat(read("{'spec':{'selector':{" + members(300, "k", "1") + "}}}")).hasSize(100);
    String repeated = members(3, "same", "1").replaceAll("same[0-9]+", "same");
    String labels =
        IntStream.range(0, 90).mapToObj(i -> "{" + repeated + "}").collect(Collectors.joining(","));
    assertThat(read("{'metadata':{'managedFields':[{'fieldsV1':{'a':[" + labels + "]}}]}}"))
        .hasSize(100)
        .allSatisfy(fault -> assertThat(fault.type()).isEqualTo(FieldError.Type.REPEATED));
  }

  @Test
  void aFaultBehindManyOfAnotherTypeIsReported() {
    assertThat(read("{" + members(300, "u", "1") + ",'spec':5,'kind':'Job','kind':'Job'}"))
        .extracting(fault -> fault.type() + " " + fault.path())
        .contains("UNDECODABLE spec", "REPEATED kind");
  }

  @Test
  void aLongPathIsCut() {
    List<FieldError> faults = read(nested("'a':1,'a':1"));
    assertThat(faults).hasSize(1);
    String path = faults.getFirst().path();
    assertThat(path.length()).isEqualTo(1024 + "...".length());
    assertThat(path).startsWith("metadata.managedFields[0].fieldsV1.xxx").endsWith("x...");
  }

  @Test
  void membersAtLongPathsCostNoTextsOfTheirPaths() {
    long plain = allocated(nested("'a':1"));
    long many = allocated(nested(members(1000, "m", "1")));
    assertThat(many - plain).isLessThan(1000 * 10_000);
  }

  @Test
  void repeatsAtLongPathsCostLittle() {
    long plain = allocated(nested("'a':1"));
    long many = allocated(nested("'a':1" + ",'a':1".repeat(1000)));
    assertThat(many - plain).isLessThan(1000 * 10_000);
  }

  @Test
  void repeatedKeysOfYamlAreCountedAndCutToo() {
    StringBuilder text = new StringBuilder("metadata:\n  labels:\n    ? &name ");
    text.append("x".repeat(5000)).append("\n    : a\n");
    text.append("    *name : a\n".repeat(500));
    List<FieldError> faults =
        Documents.readOne(text.toString().getBytes(StandardCharsets.UTF_8), true, "v1", "Pod")
            .faults();
    assertThat(faults)
        .hasSize(100)
        .allSatisfy(fault -> assertThat(fault.detail()).hasSizeLessThan(2000));
  }

  /** Returns a body whose innermost object is below many long names. */
  private static String nested(String members) {
    return "{'metadata':{'managedFields':[{'fieldsV1':"
        + ("{'" + LONG_NAME + "':").repeat(LEVELS)
        + "{"
        + members
        + "}"
        + "}".repeat(LEVELS)
        + "}]}}";
  }

  private static String members(int count, String name, String value) {
    return IntStream.range(0, count)
        .mapToObj(i -> "'" + name + i + "':" + value)
        .collect(Collectors.joining(","));
  }

  private static long allocated(String text) {
    byte[] body = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    var _ = Documents.readOne(body, false, "batch/v1", "Job");
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private static List<FieldError> read(String text) {
    byte[] body = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return Documents.readOne(body, false, "batch/v1", "Job").faults();
  }
}
