package dev.stint.cluster.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares what is written with the bodies of a Kubernetes API server, and reads it again. */
class RecordedMessagesTest {
  private static final Path ANSWERS = Path.of("../conformance/answers");

  /** One row in this number is taken: all of them would take half a minute. */
  private static final int SHARE = Integer.getInteger("answers.share", 100);

  @Test
  void documentsAreWrittenAsKubernetesWritesThem() {
    int[] seen = {0};
    forEachRow(
        ANSWERS.resolve("protobuf.jsonl.gz"),
        row -> {
          byte[] recorded = Base64.getDecoder().decode(row.path("raw64").asString());
          ObjectNode tree = ProtobufDocument.read(recorded);
          byte[] written = ProtobufDocument.write(tree);
          Message message = message(written);
          assertThat(withoutZeros(message))
              .as(row.path("id").asString())
              .isEqualTo(withoutZeros(message(recorded)));
          assertThat(Envelope.read(written).raw()).isEqualTo(message.toByteArray());
          assertThat(withoutNulls(ProtobufDocument.read(written))).isEqualTo(withoutNulls(tree));
          seen[0]++;
        });
    assertThat(seen[0]).isGreaterThanOrEqualTo(1024 / SHARE);
  }

  static List<Path> files() throws IOException {
    try (var all = Files.list(ANSWERS)) {
      return all.filter(file -> file.toString().endsWith(".jsonl.gz")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void admittedObjectsAreReadAsTheyWereWritten(Path file) {
    forEachRow(
        file,
        row -> {
          ObjectNode tree = Json.objectAt(row, "admitted");
          if (tree == null) {
            return;
          }
          byte[] written = ProtobufDocument.writeComplete(tree);
          assertThat(written).as("%s is complete", row.path("id")).isNotNull();
          ObjectNode read = withoutNulls(tree);
          assertThat(withoutNulls(ProtobufDocument.read(written)))
              .as(row.path("id").asString())
              .isEqualTo(read);
          assertParts(ProtobufDocument.object(written, true), ProtobufDocument.read(written));
        });
  }

  private static void assertParts(KubeObject object, ObjectNode tree) {
    KubeObject whole = KubeObject.of(tree);
    assertThat(object.kindName()).isEqualTo(whole.kindName());
    assertThat(object.name()).isEqualTo(whole.name());
    assertThat(object.labels()).isEqualTo(whole.labels());
    assertThat(object.status()).isEqualTo(whole.status());
    assertThat(object.specText("restartPolicy")).isEqualTo(whole.specText("restartPolicy"));
    assertThat(object.statusText("phase")).isEqualTo(whole.statusText("phase"));
    if (whole.kindName().equals("Pod")) {
      assertThat(object.length()).isLessThan(whole.bytes().length);
    }
  }

  private static void forEachRow(Path file, Consumer<ObjectNode> each) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      int[] row = {0};
      lines.lines().filter(_ -> row[0]++ % SHARE == 0).map(Json::parse).forEach(each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a tree without nulls, most of which mean the same as nothing, and are not written. */
  private static ObjectNode withoutNulls(ObjectNode tree) {
    ObjectNode kept = tree.deepCopy();
    dropNulls(kept);
    return kept;
  }

  private static void dropNulls(JsonNode tree) {
    if (tree instanceof ObjectNode object) {
      List.copyOf(object.propertyNames()).stream()
          .filter(name -> object.path(name).isNull())
          .forEach(object::remove);
    }
    tree.forEach(RecordedMessagesTest::dropNulls);
  }

  private static Message message(byte[] document) {
    Envelope envelope = Envelope.read(document);
    Descriptor type = MessageTypes.of(envelope.apiVersion(), envelope.kind()).orElseThrow();
    return ProtobufDocument.read(() -> DynamicMessage.parseFrom(type, envelope.raw()));
  }

  /** Returns a message without what Go writes although it is not set. */
  private static Message withoutZeros(Message message) {
    Message.Builder builder = message.toBuilder();
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      Object value = field.getValue();
      if (field.getKey().isRepeated()) {
        for (int i = 0; i < ((List<?>) value).size(); i++) {
          if (((List<?>) value).get(i) instanceof Message item) {
            builder.setRepeatedField(field.getKey(), i, withoutZeros(item));
          }
        }
      } else if (without(value) == null) {
        builder.clearField(field.getKey());
      } else {
        builder.setField(field.getKey(), without(value));
      }
    }
    return builder.build();
  }

  private static @Nullable Object without(Object value) {
    Object kept = value instanceof Message message ? withoutZeros(message) : value;
    return kept instanceof Message message && message.getAllFields().isEmpty()
            || kept.equals("")
            || kept.equals(0)
            || kept.equals(0L)
            || kept.equals(false)
        ? null
        : kept;
  }
}
