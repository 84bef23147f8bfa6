package dev.stint.apiserver.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Rules match like a naive implementation. */
class PolicyRuleTest {
  private static final List<String> VERBS = List.of("get", "list", "*");
  private static final List<String> GROUPS = List.of("", "batch", "*");
  private static final List<String> RESOURCES =
      List.of("jobs", "pods", "*", "jobs/status", "pods/log", "*/status");
  private static final List<String> NAMES = List.of("a", "b");
  private static final List<String> PATHS = List.of("/x", "/x/*", "/x*", "/xy", "*");

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @RepeatedTest(20)
  void rulesMatchAsANaiveReadingSays() {
    for (int i = 0; i < 200; i++) {
      PolicyRule rule = rule(random);
      for (RequestAttributes request : requests()) {
        assertThat(rule.allows(request))
            .as("seed %d: %s for %s", seed, rule, request)
            .isEqualTo(naive(rule, request));
      }
    }
  }

  private static boolean naive(PolicyRule rule, RequestAttributes request) {
    boolean verb = rule.verbs().stream().anyMatch(v -> v.equals("*") || v.equals(request.verb()));
    if (request.nonResourcePath() != null) {
      String path = request.nonResourcePath();
      return verb
          && rule.paths().stream()
              .anyMatch(known -> path.matches(known.replace("*", ".*")) || known.equals(path));
    }
    boolean group =
        rule.groups().stream().anyMatch(g -> g.equals("*") || g.equals(request.group()));
    boolean resource =
        rule.resources().stream()
            .anyMatch(known ->
                known.equals("*")
                    || known.equals(request.fullResource())
                    || known.equals("*/" + request.subresource()));
    boolean name = rule.names().isEmpty() || rule.names().stream().anyMatch(request.name()::equals);
    return verb && group && resource && name;
  }

  static List<RequestAttributes> requests() {
    return Stream.concat(
            Stream.of("get", "list", "delete")
                .flatMap(verb ->
                    Stream.of("", "batch", "apps")
                        .flatMap(group ->
                            Stream.of("jobs/", "jobs/status", "pods/log", "nodes/", "nodes/status")
                                .flatMap(resource ->
                                    Stream.of("", "a", "c")
                                        .map(name -> request(verb, group, resource, name))))),
            Stream.of("/x", "/x/y", "/xy", "/z")
                .map(path -> RequestAttributes.ofPath(User.of("u"), "get", path)))
        .toList();
  }

  private static RequestAttributes request(
      String verb, String group, String resource, String name) {
    String[] parts = resource.split("/", -1);
    return new RequestAttributes(
        User.of("u"), verb, group, "v1", parts[0], parts[1], "ns", name, null);
  }

  static PolicyRule rule(Random random) {
    return random.nextInt(4) == 0
        ? new PolicyRule(
            some(random, VERBS, 1), Set.of(), Set.of(), Set.of(), some(random, PATHS, 1))
        : new PolicyRule(
            some(random, VERBS, 1),
            some(random, GROUPS, 1),
            some(random, RESOURCES, 1),
            some(random, NAMES, 0),
            Set.of());
  }

  private static Set<String> some(Random random, List<String> from, int atLeast) {
    Set<String> some = new HashSet<>();
    int size = atLeast + random.nextInt(2);
    while (some.size() < size) {
      some.add(from.get(random.nextInt(from.size())));
    }
    return some;
  }

  @Test
  @Timeout(60)
  void namesWithEqualHashesAreReadLikeOthers() {
    ObjectNode role = Json.object();
    ArrayNode names = role.withArrayProperty("rules").addObject().putArray("resourceNames");
    collidingNames(18).forEach(names::add);
    assertThat(PolicyRule.listOf(role).getFirst().names()).hasSize(1 << 18);
  }

  /** Returns all names of so many pairs of letters that have one hash. */
  private static Stream<String> collidingNames(int pairs) {
    return pairs == 0
        ? Stream.of("")
        : collidingNames(pairs - 1).flatMap(end -> Stream.of("aa" + end, "bB" + end));
  }
}
