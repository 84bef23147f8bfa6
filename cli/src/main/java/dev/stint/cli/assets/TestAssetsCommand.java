package dev.stint.cli.assets;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stint test-assets}: writes the programs of test environments. */
@Command(
    name = "test-assets",
    description = {
      "Write kube-apiserver and etcd for envtest, kube-api-test or jenvtest.",
      "They start this Stint, in memory, in place of the originals."
    })
public final class TestAssetsCommand implements Callable<Integer> {
  /** System property: the launcher that has started this process. */
  static final String LAUNCHER_PROPERTY = "stint.launcher";

  private static final List<String> PROGRAMS = List.of("etcd", "kube-apiserver");
  private static final String MARK = "# Written by stint test-assets.";

  private final Console console;
  private final @Nullable String launcher;

  @Parameters(paramLabel = "DIR", description = "Directory to write to; made if it is missing.")
  Path directory = Path.of("");

  @Option(
      names = "--stint-controllers",
      paramLabel = "all|none|LIST",
      defaultValue = "none",
      description =
          "Controllers that kube-apiserver runs, as in up --controllers, unless STINT_CONTROLLERS "
              + "or its own flag --stint-controllers names others (default: ${DEFAULT-VALUE}).")
  String controllers = "none";

  public TestAssetsCommand(Console console) {
    this(console, System.getProperty(LAUNCHER_PROPERTY));
  }

  /**
   * @param launcher the absolute path of the launcher; null if there is none
   */
  TestAssetsCommand(Console console, @Nullable String launcher) {
    this.console = console;
    this.launcher = launcher;
  }

  @Override
  public Integer call() {
    if (launcher == null) {
      throw new UserException("the programs start the launcher of Stint; run this command by it");
    }
    ApiServerFlags.controllers("--" + ApiServerFlags.CONTROLLERS, controllers);
    PROGRAMS.forEach(this::checkReplaceable);
    try {
      Files.createDirectories(directory);
      for (String program : PROGRAMS) {
        write(directory.resolve(program), script(program, launcher));
      }
    } catch (IOException fault) {
      throw new UserException("cannot write to " + directory + ": " + fault);
    }
    Path absolute = directory.toAbsolutePath().normalize();
    console.out().println("Wrote " + String.join(" and ", PROGRAMS) + " to " + absolute);
    console
        .out()
        .println(
            "For envtest: export KUBEBUILDER_ASSETS=" + ShellQuoting.quoted(absolute.toString()));
    return ExitCode.OK.status();
  }

  /** Refuses to replace the program of somebody else, such as the original. */
  private void checkReplaceable(String program) {
    Path file = directory.resolve(program);
    try {
      if (Files.exists(file)
          && (Files.size(file) > (1 << 20) || !Files.readString(file).contains(MARK))) {
        throw new UserException(file + " is another program; name an empty directory");
      }
    } catch (IOException unreadable) {
      throw new UserException(file + " is another file; name an empty directory");
    }
  }

  private static void write(Path file, String text) throws IOException {
    Path unfinished = Files.createTempFile(file.getParent(), ".stint", "");
    Files.writeString(unfinished, text);
    Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(
        unfinished, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private String script(String program, String path) {
    return """
    #!/bin/sh
    %s
    : "${%s=%s}"
    export %2$s
    exec %s %s "$@"
    """
        .formatted(
            MARK,
            ApiServerFlags.CONTROLLERS_VARIABLE,
            controllers,
            ShellQuoting.quoted(path),
            program);
  }
}
