package dev.stint.model.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.model.job.JobDefaults;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An admitted object loses nothing when it is written, read and given its defaults again. */
class RoundTripTest {
  private static final Path CREATED = Path.of("..", "conformance", "create.jsonl.gz");
  private static final List<String> COUNTS =
      List.of("backoffLimit", "backoffLimitPerIndex", "maxFailedIndexes", "parallelism");
  private static final int[] EXTREMES = {0, 1, 6, Integer.MAX_VALUE - 1, Integer.MAX_VALUE};

  @Test
  void jobsThatKubernetesAdmittedStayAsTheyAre() throws IOException {
    List<ObjectNode> admitted = admitted();
    assertThat(admitted).hasSizeGreaterThan(1800);
    admitted.forEach(RoundTripTest::staysAsItIs);
  }

  @Test
  @Covers("BI-61")
  void jobsWithNumbersAtTheirLimitsStayAsTheyAre() throws IOException {
    List<ObjectNode> admitted = admitted();
    Random random = new Random(61);
    for (int round = 0; round < 500; round++) {
      ObjectNode job = admitted.get(random.nextInt(admitted.size())).deepCopy();
      ObjectNode spec = job.withObjectProperty("spec");
      for (String count : COUNTS) {
        spec.put(count, EXTREMES[random.nextInt(EXTREMES.length)]);
      }
      staysAsItIs(job);
    }
  }

  private static void staysAsItIs(ObjectNode job) {
    byte[] json = Json.pretty(job).getBytes(StandardCharsets.UTF_8);
    Document document = Documents.read("round trip", json).getFirst();
    assertThat(document.faults()).isEmpty();
    ObjectNode read = document.object().copy();
    assertThat(read).isEqualTo(job);
    JobDefaults.apply(read);
    assertThat(read).isEqualTo(job);
  }

  private static List<ObjectNode> admitted() throws IOException {
    List<ObjectNode> admitted = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(CREATED)), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        JsonNode found = Json.parse(line).get("admitted");
        if (found instanceof ObjectNode job) {
          admitted.add(job);
        }
      }
    }
    return admitted;
  }
}
