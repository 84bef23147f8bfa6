package dev.stint.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class YamlReaderTest {
  @Test
  void theParserBuffersTheWholeText() {
    // It copies the beginning of a scalar each time that it fills its buffer: 10 MB took 20 s.
    assertThat(YamlReader.settings("x".repeat(5000)).getBufferSize()).isGreaterThan(5001);
  }

  @Test
  void aScalarOfMegabytesIsRead() {
    String value = "x".repeat(4 << 20);
    byte[] text = ("data: \"" + value + "\"").getBytes(StandardCharsets.UTF_8);
    RawNode.RawObject read = (RawNode.RawObject) YamlReader.read("a.yaml", text).getFirst();
    RawNode.RawValue data = (RawNode.RawValue) read.members().getFirst().value();
    assertThat(data.text()).hasSize(value.length());
  }
}
