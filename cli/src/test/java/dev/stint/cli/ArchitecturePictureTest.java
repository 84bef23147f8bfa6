package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The picture of the modules in docs/architecture.md agrees with the build files. It omits
 * dependencies of tests, and each arrow that follows from others: a picture with {@code a --> b}
 * and {@code b --> c} does not need {@code a --> c}.
 */
class ArchitecturePictureTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/architecture.md");
  private static final Pattern TYPE = Pattern.compile("`([A-Z][A-Za-z]+)(?:\\.[^`]*)?`");
  private static final Set<String> KUBERNETES = Set.of("Complete", "Failed");
  private static final Pattern PICTURE = Pattern.compile("(?s)```mermaid\n(.*?)```");
  private static final Pattern ARROWS = Pattern.compile("(?m)^ *([a-z-]+) --> ([a-z &-]+)$");

  @Test
  void thePictureShowsWhatEachModuleDependsOn() throws Exception {
    String page = Files.readString(PAGE);
    Set<String> real = arrows(reduced(dependencies()));
    assertThat(real).hasSizeGreaterThan(15);
    assertThat(drawn(page))
        .as(
            "the arrows of the picture in docs/architecture.md; in the build files they are\n  %s",
            lines(real))
        .containsExactlyInAnyOrderElementsOf(real);
  }

  @Test
  void everyTypeThatThePageNamesExists() throws Exception {
    Set<String> known = types();
    known.addAll(KUBERNETES);
    assertThat(TYPE.matcher(Files.readString(PAGE)).results().map(name -> name.group(1)))
        .as("types that docs/architecture.md names")
        .hasSizeGreaterThan(30)
        .isSubsetOf(known);
  }

  @Test
  void anArrowThatFollowsFromOthersIsLeftOut() {
    Map<String, Set<String>> dependencies =
        Map.of("c", Set.of(), "b", Set.of("c"), "a", Set.of("b", "c"));
    assertThat(arrows(reduced(dependencies))).containsExactly("a --> b", "b --> c");
  }

  @Test
  void aLineOfThePictureMayHaveSeveralArrows() {
    assertThat(drawn("```mermaid\nflowchart TD\n  a --> b & c\n  b --> c\n```\n"))
        .containsExactlyInAnyOrder("a --> b", "a --> c", "b --> c");
  }

  private static Set<String> types() throws Exception {
    Set<String> types = new HashSet<>();
    List<Path> sources =
        modules().stream().map(module -> module.resolve("src")).filter(Files::isDirectory).toList();
    for (Path source : sources) {
      try (Stream<Path> files = Files.walk(source)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java"))
            .forEach(name -> types.add(name.substring(0, name.length() - ".java".length())));
      }
    }
    return types;
  }

  private static String lines(Collection<String> arrows) {
    return String.join("\n  ", arrows);
  }

  private static List<String> drawn(String page) {
    return PICTURE
        .matcher(page)
        .results()
        .limit(1)
        .flatMap(picture -> ARROWS.matcher(picture.group(1)).results())
        .flatMap(line ->
            Arrays.stream(line.group(2).split("&")).map(to -> line.group(1) + " --> " + to.strip()))
        .toList();
  }

  private static Set<String> arrows(Map<String, Set<String>> dependencies) {
    Set<String> arrows = new TreeSet<>();
    dependencies.forEach((from, all) -> all.forEach(to -> arrows.add(from + " --> " + to)));
    return arrows;
  }

  /** Returns the dependencies without those that follow from others. */
  private static Map<String, Set<String>> reduced(Map<String, Set<String>> dependencies) {
    Map<String, Set<String>> reduced = new TreeMap<>();
    dependencies.forEach((from, direct) -> {
      Set<String> kept = new TreeSet<>(direct);
      direct.forEach(to -> kept.removeAll(reachable(dependencies, to)));
      reduced.put(from, kept);
    });
    return reduced;
  }

  private static Set<String> reachable(Map<String, Set<String>> dependencies, String from) {
    Set<String> reachable = new HashSet<>();
    for (String to : dependencies.getOrDefault(from, Set.of())) {
      reachable.add(to);
      reachable.addAll(reachable(dependencies, to));
    }
    return reachable;
  }

  /**
   * Returns the modules that each module needs for compilation and at run time, by the build files.
   */
  private static Map<String, Set<String>> dependencies() throws Exception {
    Map<String, Set<String>> dependencies = new TreeMap<>();
    for (Path module : modules()) {
      Element project = project(module);
      Set<String> needed = new TreeSet<>();
      for (Element dependency : elements(project, "dependencies", "dependency")) {
        if (text(dependency, "groupId").equals("dev.stint")
            && !text(dependency, "scope").equals("test")) {
          needed.add(name(dependency));
        }
      }
      dependencies.put(name(project), needed);
    }
    return dependencies;
  }

  private static List<Path> modules() throws Exception {
    return elements(project(ROOT), "modules", "module").stream()
        .map(module -> ROOT.resolve(module.getTextContent().strip()))
        .toList();
  }

  private static String name(Element artifact) {
    return text(artifact, "artifactId").replaceFirst("^stint-", "");
  }

  private static Element project(Path module) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(module.resolve("pom.xml").toFile())
        .getDocumentElement();
  }

  private static List<Element> elements(Element parent, String list, String name) {
    return children(parent, list).flatMap(found -> children(found, name)).toList();
  }

  private static String text(Element parent, String name) {
    return children(parent, name)
        .map(child -> child.getTextContent().strip())
        .findFirst()
        .orElse("");
  }

  private static Stream<Element> children(Element parent, String name) {
    return Stream.iterate(parent.getFirstChild(), node -> node != null, Node::getNextSibling)
        .filter(node -> node.getNodeName().equals(name))
        .map(Element.class::cast);
  }
}
