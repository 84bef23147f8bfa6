package dev.stint.cli.init;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint init [FILE]}. */
@Command(
    name = "init",
    description = "Write a commented Job file to start from.",
    footer = {"", "Example:", "  stint init report.yaml --template retries"})
public final class InitCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "job.yaml",
      description = "File to write, or - for standard output (default: ${DEFAULT-VALUE}).")
  String file = "job.yaml";

  @Option(
      names = "--template",
      paramLabel = "plain|indexed|retries|success-policy|gpu",
      defaultValue = "plain",
      converter = Template.Converter.class,
      completionCandidates = Template.Names.class,
      description =
          "Job to start from: one pod (plain), a pod for each index, retries for each index, a Job "
              + "that is done when its leader is, or pods with GPUs (default: ${DEFAULT-VALUE}).")
  Template template = Template.PLAIN;

  @Option(names = "--force", description = "Replace the file if it exists.")
  boolean force;

  public InitCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    checkIsNoTemplate();
    String text = template.text(file);
    if (file.equals("-")) {
      console.out().print(text);
      return ExitCode.OK.status();
    }
    write(text);
    console.say("wrote " + file + "; edit it, then: stint run " + ShellQuoting.quoted(file));
    return ExitCode.OK.status();
  }

  private void checkIsNoTemplate() {
    if (Template.names().contains(file)) {
      throw new UserException(
          "%s is a template, not a file: stint init %s.yaml --template %s; or write ./%s"
              .formatted(file, file, file, file));
    }
  }

  private void write(String text) {
    try {
      Path path = Path.of(file);
      if (force) {
        Files.writeString(path, text);
      } else {
        Files.writeString(path, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      }
    } catch (FileAlreadyExistsException exists) {
      throw new UserException(file + " exists; name another file, or replace it with --force");
    } catch (NoSuchFileException missing) {
      throw new UserException(file + ": the directory does not exist; create it first");
    } catch (IOException | InvalidPathException fault) {
      throw new UserException(file + ": cannot be written: " + fault.getMessage());
    }
  }
}
