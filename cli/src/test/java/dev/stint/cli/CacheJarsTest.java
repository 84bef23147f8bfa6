package dev.stint.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheJarsTest {
  private static final String MANIFEST =
      "Manifest-Version: 1.0\r\nAdded: yes\r\n\r\nName: a.txt\r\nSHA-256-Digest: abc\r\n\r\n";

  @TempDir private Path directory;
  private Path copies = Path.of("");

  @BeforeEach
  void createTheDirectory() throws IOException {
    copies = Files.createDirectory(directory.resolve("copies"));
  }

  @Test
  void copiesWhatTheCacheCanHoldAsItIs() throws IOException {
    Path jar = jar("plain.jar", Map.of("a.txt", "a".getBytes(UTF_8), "A.class", maximum(61)));

    assertThat(copyOf(jar)).hasSameBinaryContentAs(jar);
  }

  @Test
  void leavesOutSignatures() throws IOException {
    Map<String, byte[]> signed = new TreeMap<>();
    signed.put("META-INF/MANIFEST.MF", MANIFEST.getBytes(UTF_8));
    signed.put("META-INF/A.SF", "signature".getBytes(UTF_8));
    signed.put("META-INF/A.RSA", "signature".getBytes(UTF_8));
    signed.put("a.txt", "a".getBytes(UTF_8));

    try (JarFile copy = new JarFile(copyOf(jar("signed.jar", signed)).toFile())) {
      assertThat(copy.stream().map(JarEntry::getName))
          .containsExactly("META-INF/MANIFEST.MF", "a.txt");
      assertThat(copy.getManifest().getMainAttributes().getValue("Added")).isEqualTo("yes");
      assertThat(copy.getManifest().getEntries()).isEmpty();
      assertThat(read(copy, "a.txt")).asString().isEqualTo("a");
    }
  }

  @Test
  void givesOldClassesTheirStackMaps() throws Exception {
    Path copy = copyOf(jar("old.jar", Map.of("A.class", maximum(ClassFile.JAVA_5_VERSION))));

    try (JarFile jar = new JarFile(copy.toFile());
        URLClassLoader loader = new URLClassLoader(new URL[] {copy.toUri().toURL()}, null)) {
      assertThat(ClassFile.of().parse(read(jar, "A.class")).majorVersion())
          .isEqualTo(ClassFile.JAVA_8_VERSION);
      assertThat(ClassFile.of().verify(read(jar, "A.class"))).isEmpty();
      var maximum = loader.loadClass("A").getMethod("maximum", int.class, int.class);
      assertThat(maximum.invoke(null, 3, 4)).isEqualTo(4);
    }
  }

  @Test
  void makesTheSameCopyEachTime() throws IOException {
    Path jar = jar("old.jar", Map.of("A.class", maximum(ClassFile.JAVA_5_VERSION)));
    byte[] first = Files.readAllBytes(copyOf(jar));

    assertThat(copyOf(jar)).hasBinaryContent(first);
  }

  private Path copyOf(Path jar) throws IOException {
    CacheJars.main(new String[] {copies.toString(), jar.toString()});
    return copies.resolve(jar.getFileName());
  }

  private Path jar(String name, Map<String, byte[]> entries) throws IOException {
    Path jar = directory.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return jar;
  }

  /** Returns a class with a branch, which needs a stack map since Java 7. */
  private static byte[] maximum(int version) {
    MethodTypeDesc type =
        MethodTypeDesc.of(
            ConstantDescs.CD_int, List.of(ConstantDescs.CD_int, ConstantDescs.CD_int));
    return ClassFile.of()
        .build(
            ClassDesc.of("A"),
            builder ->
                builder
                    .withVersion(version, 0)
                    .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER)
                    .withMethodBody(
                        "maximum",
                        type,
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        code -> {
                          Label second = code.newLabel();
                          code.iload(0).iload(1).if_icmplt(second).iload(0).ireturn();
                          code.labelBinding(second).iload(1).ireturn();
                        }));
  }

  private static byte[] read(JarFile jar, String entry) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(entry))) {
      return in.readAllBytes();
    }
  }
}
