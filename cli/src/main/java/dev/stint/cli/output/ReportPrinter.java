package dev.stint.cli.output;

import dev.stint.jobs.JobState;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Writes reports to standard output, in the requested format. */
public final class ReportPrinter {
  private static final String BOLD = TerminalText.sequence("\u001b[1m");
  private static final String RED = TerminalText.sequence("\u001b[31m");
  private static final String GREEN = TerminalText.sequence("\u001b[32m");
  private static final String YELLOW = TerminalText.sequence("\u001b[33m");
  private static final String PLAIN = TerminalText.sequence("\u001b[0m");

  private final Console console;
  private final boolean color;

  public ReportPrinter(Console console) {
    this.console = console;
    this.color = console.isOutColored();
  }

  /**
   * Writes one of the formats.
   *
   * @param names the lines of {@code -o name}
   */
  public void print(
      ReportFormat format,
      Supplier<List<String>> text,
      Supplier<JsonNode> json,
      Supplier<List<String>> names) {
    switch (format) {
      case text -> text.get().forEach(console.out()::println);
      case name -> names.get().forEach(console.out()::println);
      case json -> console.out().println(Json.pretty(json.get()));
      case yaml -> console.out().print(YamlWriter.text(json.get()));
    }
    console.out().flush();
  }

  public String bold(String text) {
    return in(BOLD, text);
  }

  /** Returns a text in the colour of a state. */
  public String state(JobState state, String text) {
    return switch (state) {
      case COMPLETE, SUCCEEDING -> good(text);
      case FAILED, FAILING -> bad(text);
      case SUSPENDED, INTERRUPTED, DELETING -> odd(text);
      case WAITING, RUNNING -> text;
    };
  }

  public String good(String text) {
    return in(GREEN, text);
  }

  public String bad(String text) {
    return in(RED, text);
  }

  public String odd(String text) {
    return in(YELLOW, text);
  }

  private String in(String style, String text) {
    return color && !text.isEmpty() ? style + text + PLAIN : text;
  }

  /** The colour of a cell, applied once the cell has its width. */
  @FunctionalInterface
  public interface Style {
    String of(int row, int column, String cell);
  }

  /** Returns rows in columns that are as wide as they have to be; the first row is the heading. */
  public List<String> table(List<List<String>> given, Style style) {
    List<List<String>> rows =
        given.stream().map(row -> row.stream().map(TerminalText::oneLine).toList()).toList();
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = rows.get(r).get(i);
        int room = i + 1 == columns ? 0 : widths[i] - cell.length() + 2;
        line.append(r == 0 ? bold(cell) : style.of(r - 1, i, cell)).append(" ".repeat(room));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
