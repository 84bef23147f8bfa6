import java.io.PrintWriter;
import java.util.spi.ToolProvider;

/** Runs a tool of the JDK several times in one JVM, which saves the starts of the others. */
final class JdkTool {
  private JdkTool() {}

  /**
   * Runs the tool with the arguments of each file. Exits with 1 at the first run that fails.
   *
   * @param args the tool, such as {@code jar}, and the files
   */
  public static void main(String[] args) {
    ToolProvider tool = ToolProvider.findFirst(args[0]).orElseThrow();
    PrintWriter out = new PrintWriter(System.out, true);
    for (int i = 1; i < args.length; i++) {
      if (tool.run(out, out, "@" + args[i]) != 0) {
        out.println("build/release: " + args[0] + " fails with the arguments in " + args[i]);
        System.exit(1);
      }
    }
  }
}
