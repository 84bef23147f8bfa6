package dev.stint.cli.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document in Markdown, as a list of its fenced blocks.
 *
 * @param blocks in the order of the document
 */
record Document(List<Block> blocks) {
  private static final Pattern FENCE = Pattern.compile("( *)```(\\S*)\\s*");
  private static final Pattern NOT_RUN = Pattern.compile("\\s*<!-- not run:(.*)-->\\s*");
  private static final Pattern FILE = Pattern.compile("# file: (\\S+)");
  private static final Pattern STATUS = Pattern.compile("# exit status (\\d+)");

  /**
   * A fenced block.
   *
   * @param line the line of its opening fence, from 1
   * @param language the text after the fence; may be empty
   * @param lines its lines, without the indentation of the fence
   * @param notRun the reason why it is not run, from the comment before it; may be blank
   */
  record Block(int line, String language, List<String> lines, Optional<String> notRun) {
    boolean isCommands() {
      return language.equals("sh");
    }
  }

  /** A step of a reader who copies and pastes all blocks. */
  sealed interface Step {
    /** Returns the line at which its block begins. */
    int line();

    /** Writes the text of a block whose first line is {@code # file: NAME} to that file. */
    record Write(int line, String file, String text) implements Step {}

    /**
     * Runs commands in the shell.
     *
     * @param status the expected exit status of the last one; those before it must succeed
     * @param shown the lines of the text block that follows
     */
    record Run(int line, String commands, int status, List<String> shown) implements Step {
      /** True if a command runs in the background, so that its output takes a while. */
      boolean leavesSomething() {
        return commands.lines().anyMatch(line -> line.matches(".*[^&]&\\s*(#.*)?"));
      }

      boolean needs(String program) {
        return Pattern.compile("\\b" + Pattern.quote(program) + " ").matcher(commands).find();
      }
    }
  }

  static Document read(Path file) throws IOException {
    return of(Files.readAllLines(file));
  }

  static Document of(List<String> lines) {
    List<Block> blocks = new ArrayList<>();
    Optional<String> notRun = Optional.empty();
    for (int at = 0; at < lines.size(); at++) {
      Matcher fence = FENCE.matcher(lines.get(at));
      Matcher mark = NOT_RUN.matcher(lines.get(at));
      if (fence.matches()) {
        int end = end(lines, at, fence.group(1) + "```");
        List<String> text =
            lines.subList(at + 1, end).stream().map(line -> cut(line, fence.end(1))).toList();
        blocks.add(new Block(at + 1, fence.group(2), text, notRun));
        at = end;
      }
      if (mark.matches()) {
        notRun = Optional.of(mark.group(1).strip());
      } else if (!lines.get(at).isBlank()) {
        notRun = Optional.empty();
      }
    }
    return new Document(List.copyOf(blocks));
  }

  /** Returns the steps, in the order of the document. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (int at = 0; at < blocks.size(); at++) {
      Block block = blocks.get(at);
      if (block.isCommands() && block.notRun().isEmpty()) {
        boolean shows = at + 1 < blocks.size() && blocks.get(at + 1).language().equals("text");
        steps.add(run(block, shows ? blocks.get(at + 1).lines() : List.of()));
      } else if (!block.lines().isEmpty()) {
        Matcher file = FILE.matcher(block.lines().getFirst());
        if (file.matches()) {
          steps.add(new Step.Write(block.line(), file.group(1), text(block)));
        }
      }
    }
    return steps;
  }

  private static Step run(Block block, List<String> shown) {
    String commands = text(block);
    Matcher status = STATUS.matcher(commands);
    int expected = status.find() ? Integer.parseInt(status.group(1)) : 0;
    return new Step.Run(block.line(), commands, expected, shown);
  }

  private static String text(Block block) {
    return String.join("\n", block.lines()) + "\n";
  }

  private static int end(List<String> lines, int begin, String fence) {
    for (int at = begin + 1; at < lines.size(); at++) {
      if (lines.get(at).stripTrailing().equals(fence)) {
        return at;
      }
    }
    throw new IllegalArgumentException("line " + (begin + 1) + ": the block never ends");
  }

  private static String cut(String line, int indentation) {
    return line.substring(Math.min(indentation, line.length() - line.stripLeading().length()));
  }
}
