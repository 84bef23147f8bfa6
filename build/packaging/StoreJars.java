import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Writes jars anew without compression. The release is compressed as a whole, which makes the
 * download a tenth smaller than jars that are compressed by themselves, and no start unpacks them.
 */
final class StoreJars {
  private StoreJars() {}

  /** Replaces the jars. The same jars always give the same bytes. */
  public static void main(String... jars) throws IOException {
    for (String jar : jars) {
      store(Path.of(jar));
    }
  }

  private static void store(Path path) throws IOException {
    Path stored = path.resolveSibling(path.getFileName() + ".stored");
    try (JarFile jar = new JarFile(path.toFile(), false);
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(stored))) {
      for (JarEntry entry : jar.stream().toList()) {
        put(out, jar, entry);
      }
    }
    Files.move(stored, path, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void put(JarOutputStream out, JarFile jar, JarEntry source) throws IOException {
    JarEntry entry = new JarEntry(source.getName());
    entry.setTimeLocal(source.getTimeLocal());
    entry.setMethod(JarEntry.STORED);
    entry.setSize(source.getSize());
    entry.setCrc(source.getCrc());
    out.putNextEntry(entry);
    try (var in = jar.getInputStream(source)) {
      in.transferTo(out);
    }
    out.closeEntry();
  }
}
