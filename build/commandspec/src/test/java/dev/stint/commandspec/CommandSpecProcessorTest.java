package dev.stint.commandspec;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members that cannot be described are errors of the compiler. The tests of cli compare
 * descriptions.
 */
class CommandSpecProcessorTest {
  @TempDir private Path output;

  @Test
  void describesACommand() {
    assertThat(errors("@Option(names = \"--size\", paramLabel = \"N\") int size = 3;")).isEmpty();
    assertThat(output.resolve("go/GoSpec.class")).exists();
    assertThat(output.resolve("go/CommandSpecs.class")).exists();
  }

  @Test
  void refusesAPrivateField() {
    assertThat(errors("@Option(names = \"--size\") private int size;"))
        .containsExactly("the parser sets size: remove private");
  }

  @Test
  void refusesAnAttributeThatItDoesNotKnow() {
    assertThat(errors("@Option(names = \"--size\", echo = true) int size;"))
        .containsExactly("echo is not supported yet; add it to dev.stint.commandspec.SpecSource");
  }

  @Test
  void refusesAMemberThatItDoesNotKnow() {
    assertThat(errors("@Unmatched List<String> rest = List.of();"))
        .containsExactly(
            "@Unmatched is not supported yet; add it to dev.stint.commandspec.SpecSource");
    assertThat(errors("@Option(names = \"--size\") void size(int size) {}"))
        .containsExactly("the parser sets fields only: make size(int) one");
  }

  /** Compiles a command with one member, and returns the errors. */
  private List<String> errors(String member) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///go/Go.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignored) {
            return """
            package go;

            import java.util.List;
            import picocli.CommandLine.*;

            @Command(name = "go", description = "Go.")
            class Go {
              %s
            }
            """
                .formatted(member);
          }
        };
    List<String> options =
        List.of("-d", output.toString(), "-cp", System.getProperty("java.class.path"));
    JavaCompiler.CompilationTask task =
        compiler.getTask(null, null, found, options, null, List.of(source));
    task.setProcessors(List.of(new CommandSpecProcessor()));
    task.call();
    return found.getDiagnostics().stream()
        .map(each -> each.getMessage(null).lines().findFirst().orElseThrow())
        .toList();
  }
}
