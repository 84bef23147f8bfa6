package dev.stint.cli.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The names that shells complete: those of Jobs, which the script gets from {@code stint ls}, and
 * those of commands, which it holds.
 *
 * @param commands all commands
 * @param ofJobs the commands about Jobs
 * @param valued the flags of these that take a value
 */
record CompletedNames(Collection<String> commands, List<String> ofJobs, SortedSet<String> valued) {
  static CompletedNames of(CommandLine stint) {
    Map<String, CommandLine> all = stint.getSubcommands();
    List<String> ofJobs =
        all.keySet().stream()
            .filter(name -> isOfJobs(Objects.requireNonNull(all.get(name)).getCommandSpec()))
            .toList();
    SortedSet<String> valued = new TreeSet<>();
    for (String name : ofJobs) {
      for (OptionSpec flag : Objects.requireNonNull(all.get(name)).getCommandSpec().options()) {
        if (flag.arity().max() > 0) {
          valued.addAll(List.of(flag.names()));
        }
      }
    }
    return new CompletedNames(all.keySet(), ofJobs, valued);
  }

  private static boolean isOfJobs(CommandSpec command) {
    return command.positionalParameters().stream()
        .anyMatch(parameter -> parameter.paramLabel().equals("JOB"));
  }

  /**
   * Returns the lines of a script that complete them.
   *
   * @param script the name of a resource
   * @param or the separator between alternative commands
   */
  String completeScript(String script, String or) {
    return text(script)
        .replace("@COMMANDS@", String.join(" ", commands))
        .replace("@OF_JOBS@", String.join(or, ofJobs))
        .replace("@VALUED@", String.join(" ", valued));
  }

  private static String text(String script) {
    try (InputStream in =
        Objects.requireNonNull(CompletedNames.class.getResourceAsStream(script), script)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
