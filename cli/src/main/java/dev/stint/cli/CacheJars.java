package dev.stint.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

/**
 * Copies jars into a directory, in a form whose classes the JVM's class cache can hold.
 *
 * <p>The cache holds no classes of signed jars, so a copy has no signatures (Maven checked the
 * jars' origin when it downloaded them). Nor does it hold classes from before Java 6, which lack
 * the stack maps that today's verifier reads, nor any class that refers to them; a copy gets stack
 * maps. Both would cost a start a third of a second. The same jar always gives the same copy.
 */
final class CacheJars {
  private static final Pattern SIGNATURE =
      Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)", Pattern.CASE_INSENSITIVE);
  private static final ClassFileVersion MODERN = ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0);

  /** The first version whose classes the cache holds. */
  private static final int CACHED = ClassFile.JAVA_6_VERSION;

  private static final ClassTransform TO_MODERN =
      ((ClassTransform)
              (builder, element) ->
                  builder.with(element instanceof ClassFileVersion ? MODERN : element))
          .andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL));

  private CacheJars() {}

  /**
   * Copies the jars.
   *
   * @param args the directory, and the jars; the libraries that they need are on the class path
   */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    for (String jar : List.of(args).subList(1, args.length)) {
      Path source = Path.of(jar);
      copy(source, directory.resolve(source.getFileName()));
    }
  }

  /** Copies a jar, unchanged where the cache can hold all of its classes as they are. */
  static void copy(Path source, Path target) throws IOException {
    try (JarFile jar = new JarFile(source.toFile(), false)) {
      if (jar.stream().noneMatch(entry -> isSignature(entry) || isOld(jar, entry))) {
        Files.copy(
            source,
            target,
            StandardCopyOption.COPY_ATTRIBUTES,
            StandardCopyOption.REPLACE_EXISTING);
        return;
      }
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(target))) {
        for (JarEntry entry : jar.stream().filter(each -> !isSignature(each)).toList()) {
          put(out, entry, contents(jar, entry));
        }
      }
    }
  }

  private static byte[] contents(JarFile jar, JarEntry entry) throws IOException {
    byte[] bytes = read(jar, entry);
    if (entry.getName().equals(JarFile.MANIFEST_NAME)) {
      return withoutDigests(jar.getManifest());
    }
    return isOld(jar, entry) ? modern(bytes) : bytes;
  }

  /** Returns a manifest with its main attributes only; the others are digests of entries. */
  private static byte[] withoutDigests(Manifest manifest) throws IOException {
    Manifest kept = new Manifest();
    kept.getMainAttributes().putAll(new Attributes(manifest.getMainAttributes()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    kept.write(bytes);
    return bytes.toByteArray();
  }

  private static byte[] modern(byte[] old) {
    ClassFile classes = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
    ClassModel model = classes.parse(old);
    return classes.transformClass(model, TO_MODERN);
  }

  private static boolean isSignature(JarEntry entry) {
    return SIGNATURE.matcher(entry.getName()).matches();
  }

  /** True for a class from before Java 6. */
  private static boolean isOld(JarFile jar, JarEntry entry) {
    if (!entry.getName().endsWith(".class")) {
      return false;
    }
    try (var in = jar.getInputStream(entry)) {
      ByteBuffer header = ByteBuffer.wrap(in.readNBytes(8));
      return header.remaining() == 8 && header.getShort(6) < CACHED;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static byte[] read(JarFile jar, JarEntry entry) throws IOException {
    try (var in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  private static void put(JarOutputStream out, JarEntry source, byte[] bytes) throws IOException {
    JarEntry entry = new JarEntry(source.getName());
    entry.setTimeLocal(source.getTimeLocal());
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
