package dev.stint.runner.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.item.ItemText;
import dev.stint.runner.env.Variables;
import dev.stint.runner.process.command.Command;
import dev.stint.runner.process.user.InheritedEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ExecProcessTest {
  private static final String PRINT =
      "[ -z \"${__stint_env+set}${__stint_word+set}\" ] && [ \"$1 $OWN\" = \"it's mine's\" ]"
          + " && tr '\\0' '|' </proc/$$/environ | od -An -v -tx1";

  @TempDir private Path dir;

  @Test
  void variablesMayHaveAnyBytes() throws Exception {
    byte[] all = new byte[255];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) (all.length - i);
    }
    String item = new String(all, ISO_8859_1) + "\n\n";
    for (boolean tty : List.of(false, true)) {
      assertThat(environment(item, "caf\u00e9 %s", tty))
          .as(tty ? "on a terminal" : "without a terminal")
          .contains("|ITEM=" + item + "|", "|db.item=caf\u00e9 %s|", "|HOME=/home|");
      assertThat(environment("plain", "caf\u00e9\n", tty))
          .contains("|ITEM=plain|", "|db.item=caf\u00e9\n|");
      assertThat(environment("plain", "it's $1", tty))
          .contains("|ITEM=plain|", "|db.item=it's $1|");
    }
  }

  /** Returns the environment of a command, with a character for each byte. */
  private String environment(String item, String odd, boolean tty) throws Exception {
    List<String> argv = List.of("/bin/sh", "-c", PRINT, "sh", "it's");
    Command command =
        new Command(
            dir.toString(),
            "/bin/sh",
            argv,
            InheritedEnvironment.of(Map.of("HOME", "/home", "OWN", "inherited")),
            Map.of("OWN", "mine's", "ITEM", text(item)),
            Map.of("db.item", text(odd)),
            Variables.of(Map.of()));
    try (ExecProcess process = ExecProcess.start(command, tty)) {
      String bytes = new String(process.stdout().readAllBytes(), ISO_8859_1);
      StringBuilder environment = new StringBuilder("|");
      for (String each : bytes.strip().split("\\s+")) {
        environment.append((char) Integer.parseInt(each, 16));
      }
      assertThat(process.exitCode().get()).isZero();
      return environment.toString();
    }
  }

  private static String text(String bytes) {
    return ItemText.of(bytes.getBytes(ISO_8859_1));
  }
}
