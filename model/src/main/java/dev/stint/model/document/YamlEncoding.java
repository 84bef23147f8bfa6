package dev.stint.model.document;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.api.YamlUnicodeReader;

/** The encoding of YAML: UTF-8, unless a byte order mark says otherwise. */
final class YamlEncoding {
  private YamlEncoding() {}

  /**
   * Returns the text without its byte order mark.
   *
   * @throws DocumentSyntaxException with the place of the first byte that is not UTF-8
   */
  static String decoded(String sourceName, byte[] text) {
    StringWriter decoded = new StringWriter(text.length);
    try (YamlUnicodeReader reader = new YamlUnicodeReader(new ByteArrayInputStream(text))) {
      reader.transferTo(decoded);
    } catch (CharacterCodingException malformed) {
      throw fault(sourceName, text);
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
    return decoded.toString();
  }

  private static DocumentSyntaxException fault(String sourceName, byte[] text) {
    ByteBuffer bytes = ByteBuffer.wrap(text);
    CharBuffer before = CharBuffer.allocate(text.length);
    if (!StandardCharsets.UTF_8.newDecoder().decode(bytes, before, true).isError()) {
      return new DocumentSyntaxException(
          sourceName, 0, 0, "not YAML: its bytes do not fit its byte order mark; save it as UTF-8");
    }
    String good = before.flip().toString();
    int line = 1 + (int) good.chars().filter(c -> c == '\n').count();
    int column = good.length() - good.lastIndexOf('\n');
    String problem =
        "not YAML: byte 0x%02X is not UTF-8; save the text as UTF-8, or put binary data in base64"
            .formatted(bytes.get(bytes.position()) & 0xff);
    return new DocumentSyntaxException(sourceName, line, column, problem);
  }
}
