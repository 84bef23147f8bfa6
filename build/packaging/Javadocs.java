import java.io.PrintWriter;
import java.util.spi.ToolProvider;

/** Makes the Javadoc of several modules in one JVM, which takes a third of the time. */
final class Javadocs {
  private Javadocs() {}

  /**
   * Runs javadoc for each module. Exits with 1 at the first one that fails.
   *
   * @param args for each module, the directory to write to; a file beside it with the ending {@code
   *     .arguments} holds the arguments
   */
  public static void main(String[] args) {
    ToolProvider javadoc = ToolProvider.findFirst("javadoc").orElseThrow();
    PrintWriter out = new PrintWriter(System.out, true);
    for (String directory : args) {
      if (javadoc.run(out, out, "@" + directory + ".arguments") != 0) {
        out.println("build/release: javadoc fails for " + directory);
        System.exit(1);
      }
    }
  }
}
