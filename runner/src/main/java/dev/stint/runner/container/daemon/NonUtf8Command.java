package dev.stint.runner.container.daemon;

import dev.stint.model.item.Item;
import dev.stint.model.item.ItemText;
import java.util.List;

/**
 * Commands with bytes that are no UTF-8. A daemon reads JSON, so that a shell in the container has
 * to write these bytes.
 */
final class NonUtf8Command {
  private NonUtf8Command() {}

  /**
   * Returns a script that sets the variable of an item and becomes a command.
   *
   * @param line the item
   */
  static String script(String line, List<String> command) {
    StringBuilder script = new StringBuilder();
    script.append(assignment(Item.VARIABLE, line)).append("export ").append(Item.VARIABLE);
    script.append("\nset --\n");
    for (String word : command) {
      script.append(assignment("stint_word", word)).append("set -- \"$@\" \"$stint_word\"\n");
    }
    return script.append("unset stint_word\nexec \"$@\"\n").toString();
  }

  /** Returns an assignment; the x at the end keeps line feeds before it. */
  private static String assignment(String name, String text) {
    return "%s=$(printf '%sx')\n%s=${%s%%x}\n".formatted(name, octal(text), name, name);
  }

  private static String octal(String text) {
    StringBuilder octal = new StringBuilder();
    for (byte each : ItemText.bytes(text)) {
      boolean plain = each > ' ' && each < 0x7F && each != '\'' && each != '\\' && each != '%';
      octal.append(plain ? String.valueOf((char) each) : "\\%03o".formatted(each & 0xFF));
    }
    return octal.toString();
  }
}
