package dev.stint.cli.shell;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint version}. */
@Command(
    name = "version",
    description = "Show the version of Stint, its commit and date if it is a release, and of Java.")
public final class VersionCommand implements Callable<Integer> {
  private static final int SHORT_HASH = 12;

  private final Console console;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "Output format (default: text).")
  OutputFormat output = OutputFormat.text;

  public VersionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Release release = Release.current();
    switch (output) {
      case text -> console.out().println(text(release));
      case json -> console.out().println(Json.pretty(document(release)));
      case yaml -> console.out().print(YamlWriter.text(document(release)));
    }
    return ExitCode.OK.status();
  }

  /** Returns the version in a line. */
  static String text(Release release) {
    String commit = release.commit();
    String from =
        commit == null
            ? ""
            : "commit "
                + commit.substring(0, Math.min(commit.length(), SHORT_HASH))
                + (release.date() == null ? "" : " of " + release.date())
                + ", ";
    return "stint %s (%sJava %s)".formatted(release.version(), from, Runtime.version());
  }

  /** Returns the version as a document; a build from sources has no commit and no date. */
  static ObjectNode document(Release release) {
    ObjectNode document = Json.object().put("version", release.version());
    if (release.commit() != null) {
      document.put("commit", release.commit());
    }
    if (release.date() != null) {
      document.put("date", release.date());
    }
    return document
        .put("java", Runtime.version().toString())
        .put("platform", System.getProperty("os.name") + "/" + System.getProperty("os.arch"));
  }

  /** The version as a flag. */
  public static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {text(Release.current())};
    }
  }

  /** Returns the version, such as {@code 0.1.0}. */
  static String version() {
    return Release.current().version();
  }
}
