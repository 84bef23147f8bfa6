package dev.stint.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.cli.output.ShellQuoting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Words of a caller that says nothing of its locale, as cron and containers do. */
class LauncherCharsetTest {
  private static final Path LOCALES = Path.of("/usr/lib/locale");
  private static final Path OPTIONS = Path.of("src/main/launcher/options.sh").toAbsolutePath();

  @TempDir private Path directory;

  @Test
  void wordsVariablesAndFilesKeepTheirBytesAndPodsHaveTheCallersLocale() throws Exception {
    assumeTrue(Files.isDirectory(LOCALES.resolve("C.utf8")), "NOT TESTED: no locale C.UTF-8");
    String script =
        """
        . %s
        choose_charset %s
        printf 'ä' >größe.txt
        export VARIABLE=ß
        exec %s run --data dàta --each größe.txt --follow -- \\
          sh -c 'echo "$1 $VARIABLE ${LC_ALL-none} ${STINT_LC_ALL-none}"' sh 'é{}'
        """
            .formatted(OPTIONS, LOCALES, ShellQuoting.quoted(CommandJvm.command()));
    Process process = process(script);
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
        .contains("éä ß none none");
    assertThat(process.waitFor()).isZero();
  }

  /** Runs a script whose bytes are the same in any locale of this JVM. */
  private Process process(String script) throws Exception {
    Files.writeString(directory.resolve("script"), script);
    ProcessBuilder sh =
        new ProcessBuilder("sh", "-eu", "script")
            .directory(directory.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = sh.environment();
    environment.keySet().removeIf(name -> !name.equals("PATH"));
    environment.put("HOME", directory.toString());
    return sh.start();
  }
}
