package dev.stint.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the launcher runs once a build: the JVM records which classes the commands load, and keeps
 * them loaded and linked for later starts. Every kind of command that should start fast is run
 * here.
 */
final class Training {
  private Training() {}

  /**
   * Runs the commands.
   *
   * @param args the directory of examples
   */
  public static void main(String[] args) {
    run(Path.of(args[0]));
  }

  static void run(Path examples) {
    String hello = examples.resolve("hello.yaml").toString();
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    Console console =
        new Console(InputStream.nullInputStream(), nowhere, nowhere, Map.of(), false, 80);
    new Stint(console).run("version");
    new Stint(console).run("validate", hello);
    new Stint(console).run("validate", "--nonsense");
    new Stint(console).run("--help");
  }
}
