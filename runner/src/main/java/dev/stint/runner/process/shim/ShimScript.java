package dev.stint.runner.process.shim;

import dev.stint.model.item.ItemText;
import dev.stint.runner.log.LogFiles;
import dev.stint.runner.log.LogStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The script that a shim reads before it becomes a container's command: the variables that differ
 * from the shim's own, the directory and the log files, and the words of the command.
 */
public final class ShimScript {
  private ShimScript() {}

  /**
   * Returns the text of the script. The shim ignores anything behind it.
   *
   * @param variables on top of the shim's own; a compiled shim also sets those whose names no shell
   *     can set
   * @param spare a directory that a compiled shim may make that of the logs from
   */
  public static String text(
      Map<String, String> variables,
      String workingDir,
      LogFiles logs,
      Optional<Path> spare,
      List<String> argv) {
    StringBuilder text = new StringBuilder(exports(variables));
    assign("__stint_cwd", workingDir, text);
    assign("__stint_stdout", logs.path(LogStream.STDOUT).toString(), text);
    assign("__stint_stderr", logs.path(LogStream.STDERR).toString(), text);
    spare.ifPresent(dir -> assign("__stint_spare", dir.toString(), text));
    text.append("set --");
    text.append(quoted(argv));
    return text.append("\nreturn\n").toString();
  }

  /**
   * Returns the commands that set the variables of a command for become.sh, which runs it.
   *
   * @param variables all names are a shell's
   * @param env the start of a command line that sets others for the rest; empty for none
   */
  public static String commands(Map<String, String> variables, List<String> env) {
    String run = env.isEmpty() ? "" : "__stint_run() {\nexec%s \"$@\" 3>&-\n}\n";
    return exports(variables) + run.formatted(quoted(env));
  }

  /** Returns words as a shell reads them back, each after a space. */
  public static String quoted(List<String> words) {
    StringBuilder text = new StringBuilder();
    words.forEach(word -> quote(word, text.append(' ')));
    return text.toString();
  }

  /**
   * Returns the commands that put env, with variables for it to set, before the words of a shell.
   * They are text, whatever bytes the values have.
   */
  public static String env(Map<String, String> variables) {
    StringBuilder text = new StringBuilder();
    variables.forEach((name, value) -> prepend(name + "=" + value, text));
    return variables.isEmpty() ? "" : text.append("set -- /usr/bin/env \"$@\"\n").toString();
  }

  private static void prepend(String word, StringBuilder text) {
    if (ItemText.isRaw(word)) {
      // The dot keeps line ends, which the shell would drop.
      text.append("__stint_word=$(printf '").append(escaped(word)).append(".')\n");
      text.append("set -- \"${__stint_word%.}\" \"$@\"\nunset __stint_word\n");
    } else {
      text.append("set --").append(quoted(List.of(word))).append(" \"$@\"\n");
    }
  }

  /** Returns a word as a format of printf. */
  private static String escaped(String word) {
    StringBuilder format = new StringBuilder();
    for (byte each : ItemText.bytes(word)) {
      if (each == '=' || each == '_' || Character.isLetterOrDigit(each)) {
        format.append((char) each);
      } else {
        format.append("\\%03o".formatted(Byte.toUnsignedInt(each)));
      }
    }
    return format.toString();
  }

  private static String exports(Map<String, String> variables) {
    StringBuilder text = new StringBuilder(512);
    variables.forEach((name, value) -> assign(name, value, text.append("export ")));
    return text.toString();
  }

  private static void assign(String name, String value, StringBuilder text) {
    quote(value, text.append(name).append('=')).append('\n');
  }

  /** Quotes a word so that a shell reads it back. */
  private static StringBuilder quote(String word, StringBuilder text) {
    return text.append('\'').append(word.replace("'", "'\\''")).append('\'');
  }
}
