package dev.stint.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The first step of a build. Maven runs it from its source with the JDK that it found. It compiles
 * this package, and says which process the server ends with: the one that runs this step.
 */
final class Prepare {
  private Prepare() {}

  /** Takes the directory of the state, and the directory of the sources. */
  public static void main(String... args) throws IOException {
    BuildState state = new BuildState(Path.of(args[0]));
    compile(Path.of(args[1]), Files.createDirectories(state.classes()));
    ProcessHandle build = ProcessHandle.current().parent().orElseThrow();
    state.prepare(Path.of(System.getProperty("java.home")), build);
  }

  static void compile(Path sources, Path classes) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", classes.toString()));
    try (Stream<Path> files = Files.list(sources.resolve("dev/stint/compiler"))) {
      files
          .map(Path::toString)
          .filter(file -> file.endsWith(".java") && !file.endsWith("package-info.java"))
          .forEach(arguments::add);
    }
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (status != 0) {
      throw new IOException("javac: exit status " + status);
    }
  }
}
