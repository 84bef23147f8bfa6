package dev.stint.dependencies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lists the licences of the third-party components of a CycloneDX SBOM, and fails the build when
 * one of them has no licence that Stint accepts. Arguments: the SBOM (JSON) and the list to write.
 */
final class ThirdPartyLicences {
  /** Licences that allow to distribute a jar unchanged beside code under Apache-2.0. */
  private static final Set<String> ACCEPTED =
      Set.of(
          "Apache-2.0",
          "MIT",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "EPL-1.0",
          "EPL-2.0",
          "Bouncy Castle Licence",
          // BSD-3-Clause, as re2j names it.
          "Go License");

  /** A component and its licences, of which the user may choose one. */
  record Component(String name, List<String> licences) {
    boolean hasAcceptedLicence() {
      return licences.stream().anyMatch(ACCEPTED::contains);
    }

    private String line() {
      return name + ": " + (licences.isEmpty() ? "none" : String.join(" or ", licences));
    }
  }

  private ThirdPartyLicences() {}

  public static void main(String[] args) throws IOException {
    List<Component> components =
        components(JsonMapper.shared().readTree(Files.readString(Path.of(args[0]))));
    Files.writeString(Path.of(args[1]), text(components));
    List<Component> refused =
        components.stream().filter(component -> !component.hasAcceptedLicence()).toList();
    if (!refused.isEmpty()) {
      refused.forEach(component -> System.err.println("No accepted licence: " + component.line()));
      System.err.println("Accepted licences: " + ACCEPTED.stream().sorted().toList());
      System.exit(1);
    }
  }

  /** Returns the components of an SBOM that are not Stint's own, in the order of the SBOM. */
  static List<Component> components(JsonNode bom) {
    return bom.path("components")
        .valueStream()
        .filter(component -> !component.path("group").asString("").equals("dev.stint"))
        .map(ThirdPartyLicences::component)
        .toList();
  }

  private static Component component(JsonNode node) {
    String name =
        Stream.of("group", "name", "version")
            .map(field -> node.path(field).asString(""))
            .collect(Collectors.joining(":"));
    return new Component(
        name, node.path("licenses").valueStream().map(ThirdPartyLicences::licence).toList());
  }

  private static String licence(JsonNode node) {
    JsonNode licence = node.path("license");
    return Stream.of(licence.path("id"), licence.path("name"), node.path("expression"))
        .filter(JsonNode::isString)
        .map(JsonNode::asString)
        .findFirst()
        .orElse("unknown");
  }

  static String text(List<Component> components) {
    return components.stream()
        .map(component -> component.line() + "\n")
        .sorted()
        .collect(
            Collectors.joining(
                "",
                "Third-party components of Stint, each with the licences it is under.\n\n",
                ""));
  }
}
