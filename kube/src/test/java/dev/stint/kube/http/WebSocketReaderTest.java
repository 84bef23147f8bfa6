package dev.stint.kube.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketReaderTest {
  private final List<String> pings = new ArrayList<>();
  private final List<String> pongs = new ArrayList<>();
  private int frames;

  /** Returns a reader of bytes, one for each character. */
  private WebSocketReader reader(String bytes) {
    return new WebSocketReader(
        new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)),
        () -> frames++,
        ping -> pings.add(text(ping)),
        pong -> pongs.add(text(pong)));
  }

  private static String text(byte[] message) {
    return new String(message, StandardCharsets.ISO_8859_1);
  }

  private static String text(WebSocketReader reader) throws IOException {
    return text(reader.next());
  }

  @Test
  void messagesAreTextOrBinaryAndMayBeEmpty() throws Exception {
    WebSocketReader reader = reader("\u0082\3abc\u0081\1d\u0082\0");
    assertThat(text(reader)).isEqualTo("abc");
    assertThat(text(reader)).isEqualTo("d");
    assertThat(text(reader)).isEmpty();
  }

  @Test
  void lengthsHaveThreeForms() throws Exception {
    String middle = "m".repeat(300);
    String large = "l".repeat(70_000);
    WebSocketReader reader =
        reader(
            "\u0082\u007e\u0001\u002c" + middle + "\u0082\u007f\0\0\0\0\0\1\u0011\u0070" + large);
    assertThat(text(reader)).isEqualTo(middle);
    assertThat(text(reader)).isEqualTo(large);
  }

  @Test
  void aMessageMayComeInFragmentsWithControlFramesBetweenThem() throws Exception {
    WebSocketReader reader = reader("\2\1a\u0089\2hi\0\1b\u008a\0\u0080\1c");
    assertThat(text(reader)).isEqualTo("abc");
    assertThat(pings).containsExactly("hi");
    assertThat(pongs).containsExactly("");
    assertThat(frames).as("of any kind").isEqualTo(5);
  }

  @Test
  void aCloseHasACodeAndAReasonOrNone() throws Exception {
    WebSocketReader told = reader("\u0088\5\3\u00f3bad");
    assertThat(told.next()).isNull();
    assertThat(told.closeReason()).isEqualTo("1011 bad");
    WebSocketReader silent = reader("\u0088\0");
    assertThat(silent.next()).isNull();
    assertThat(silent.closeReason()).isEmpty();
  }

  @Test
  void aCloseInTheMiddleOfAMessageEndsIt() throws Exception {
    assertThat(reader("\2\1a\u0088\0").next()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "c2 01 61, reserved bits",
    "92 01 61, reserved bits",
    "83 00, an unknown kind",
    "8b 00, an unknown kind",
    "82 81 00 00 00 00 61, a masked frame",
    "09 00, a fragment of a control frame",
    "89 7e 00 7e, more than 125 bytes",
    "88 7f 00 00 00 00 00 00 01 00, more than 125 bytes",
    "82 7f 00 00 00 00 00 10 00 01, more than 1048576 bytes",
    "82 7f 7f ff ff ff ff ff ff ff, more than 1048576 bytes",
    "82 7f ff ff ff ff ff ff ff ff, more than 1048576 bytes",
    "80 01 61, a fragment without its message",
    "02 01 61 82 01 62, a fragment without its message",
    "02 01 61 00 7f 00 00 00 00 00 10 00 00, more than 1048575 bytes",
  })
  void whatIsNotAllowedIsRefused(String bytes, String what) {
    StringBuilder sent = new StringBuilder();
    for (String each : bytes.split(" ", -1)) {
      sent.append((char) Integer.parseInt(each, 16));
    }
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> reader(sent.toString()).next())
        .withMessageContaining(what);
  }

  /** A server that only claims a length makes us allocate nothing for it. */
  @ParameterizedTest
  @CsvSource({"''", "82", "82 7e 01", "82 05 61 62", "82 7f 00 00 00 00 00 10 00 00", "02 01 61"})
  void anEndInTheMiddleIsToldFromAClose(String bytes) {
    StringBuilder sent = new StringBuilder();
    for (String each : bytes.isEmpty() ? new String[0] : bytes.split(" ", -1)) {
      sent.append((char) Integer.parseInt(each, 16));
    }
    assertThatExceptionOfType(EOFException.class)
        .isThrownBy(() -> reader(sent.toString()).next())
        .withMessage("the server ended the connection");
  }
}
