package dev.stint.model.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class YamlEncodingTest {
  @Test
  void aByteThatIsNotUtf8IsNamedWithItsPlace() {
    byte[] text = "kind: Job\nname: caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> Documents.read("job.yaml", text))
        .isInstanceOf(DocumentSyntaxException.class)
        .hasMessage(
            "job.yaml:2:10: not YAML: byte 0xE9 is not UTF-8; save the text as UTF-8, or put"
                + " binary data in base64");
  }

  @Test
  void aByteOrderMarkSaysTheEncoding() {
    assertThat(YamlEncoding.decoded("a", "\ufeffa: \u00e9".getBytes(StandardCharsets.UTF_16BE)))
        .isEqualTo("a: \u00e9");
    assertThat(YamlEncoding.decoded("a", "\ufeffa: \u00e9".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("a: \u00e9");
  }

  @Test
  void bytesThatDoNotFitTheirByteOrderMarkAreRefused() {
    byte[] text = {(byte) 0xfe, (byte) 0xff, 'a', 'b', (byte) 0xd8};
    assertThatThrownBy(() -> YamlEncoding.decoded("a", text))
        .isInstanceOf(DocumentSyntaxException.class);
  }
}
