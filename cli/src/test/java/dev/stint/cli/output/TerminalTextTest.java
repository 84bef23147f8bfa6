package dev.stint.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTextTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          new ByteArrayInputStream(new byte[0]),
          new PrintStream(out, true, UTF_8),
          new PrintStream(err, true, UTF_8),
          Map.of(),
          true,
          80,
          true,
          new RaisedSignals());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[2J",
        "\u001b]0;title\u0007",
        "\u009b31m",
        "\r",
        "\b",
        "\u007f",
        "\u0000",
        "\u202e",
        "\u2066"
      })
  void controlCharactersOfOthersNeverReachTheTerminal(String controls) {
    String text = "before" + controls + "after";
    console.say(text);
    console.out().println(text);
    console.out().print(text);
    console.out().printf("%s%n", text);
    console.out().println((Object) text);
    String expected = "before\\u%04x".formatted((int) controls.charAt(0));
    assertThat(err.toString(UTF_8)).startsWith("stint: " + expected).doesNotContain(controls);
    assertThat(out.toString(UTF_8))
        .startsWith(expected)
        .doesNotContain(controls)
        .doesNotContain("\u001b")
        .doesNotContain("\u009b");
  }

  @Test
  void linesTabsAndLettersOfAllLanguagesStay() {
    console.out().print("a\tb\nß €\uD83D\uDE00 \u05D0");
    assertThat(out.toString(UTF_8)).isEqualTo("a\tb\nß €\uD83D\uDE00 \u05D0");
  }

  @Test
  void ourOwnColoursReachTheTerminalButNotThoseOfAName() {
    ReportPrinter report = new ReportPrinter(console);
    console.out().println(report.bad("\u001b[32mcomplete"));
    assertThat(out.toString(UTF_8).strip()).isEqualTo("\u001b[31m\\u001b[32mcomplete\u001b[0m");
  }

  @Test
  void aCellStaysInItsRow() {
    List<String> lines =
        new ReportPrinter(console)
            .table(
                List.of(List.of("NAME", "MESSAGE"), List.of("a\nb", "\u001b[1Ax")),
                (_, _, cell) -> cell);
    assertThat(lines).hasSize(2).noneMatch(line -> line.contains("\n"));
    assertThat(TerminalText.printed(lines.getLast())).isEqualTo("a\\nb  \\u001b[1Ax");
  }

  @Test
  void jsonStaysTheSameDocument() {
    String odd = "a\u009b\u202eb\u007f";
    console.out().println(Json.pretty(Json.object().put("message", odd)));
    assertThat(Json.text(Json.parse(out.toByteArray()), "message")).isEqualTo(odd);
    assertThat(out.toString(UTF_8)).doesNotContain("\u009b");
  }

  @Test
  void theBytesOfAPodPassAsTheyAre() {
    byte[] colours = "\u001b[31mred\u001b[0m".getBytes(UTF_8);
    console.out().write(colours, 0, colours.length);
    assertThat(out.toByteArray()).isEqualTo(colours);
  }
}
