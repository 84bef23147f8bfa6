package dev.stint.model.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobAdmission;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every field that the recorded requests use, once with each harmful value: null, empty, zero,
 * negative, too large, of the wrong type, items and keys repeated, empty or null.
 *
 * <p>Each request is answered, and an accepted object is accepted again as it was stored. The
 * answers are listed in {@code target/conformance/mutations.tsv}.
 */
class SystematicMutationsTest {
  private static final Path CREATED = Path.of("..", "conformance", "create.jsonl.gz");
  private static final Path REPORT = Path.of("target", "conformance", "mutations.tsv");
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** The replacements of a value. */
  private static final Map<String, JsonNode> VALUES =
      new LinkedHashMap<>(
          Map.of(
              "null", NODES.nullNode(),
              "\"\"", NODES.stringNode(""),
              "0", NODES.numberNode(0),
              "-1", NODES.numberNode(-1),
              "2^31", NODES.numberNode(1L << 31),
              "1.5", NODES.numberNode(1.5),
              "true", NODES.booleanNode(true),
              "\"No Such\"", NODES.stringNode("No Such"),
              "[]", NODES.arrayNode(),
              "{}", NODES.objectNode()));

  private record Place(String row, ObjectNode request, String path, List<Object> steps) {}

  @Test
  void everyMutationIsAnsweredAndWhatIsAcceptedStaysSo() throws IOException {
    Map<String, String> answers = new TreeMap<>();
    places()
        .forEach(place ->
            mutations(place)
                .forEach((name, request) -> {
                  answers.put(
                      place.path + "\t" + name,
                      answer(place.row + " " + place.path + " " + name, request));
                }));
    Files.createDirectories(REPORT.getParent());
    Files.write(
        REPORT, answers.entrySet().stream().map(e -> e.getKey() + "\t" + e.getValue()).toList());
    assertThat(answers).hasSizeGreaterThan(5000).doesNotContainValue("");
  }

  private static String answer(String what, ObjectNode request) {
    try {
      Document document = Documents.read("request", Json.bytes(request)).getFirst();
      List<FieldError> faults = document.faults();
      if (faults.isEmpty()) {
        ObjectNode job = document.object().copy();
        job.withObjectProperty("metadata").put("namespace", "default").put("resourceVersion", "1");
        faults = JobAdmission.create(job, "UID", FeatureGates.DEFAULT);
        if (faults.isEmpty()) {
          ObjectNode again = job.deepCopy();
          assertThat(JobAdmission.update(job, again, FeatureGates.DEFAULT)).as(what).isEmpty();
          assertThat(stored(again)).as(what).isEqualTo(stored(job));
          return "accepted";
        }
      }
      TreeSet<String> causes = new TreeSet<>();
      faults.forEach(
          fault -> causes.add(fault.path() + " " + fault.type() + ": " + fault.detail()));
      return String.join("; ", causes);
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("no answer to " + what + ": " + request, e);
    }
  }

  /** Returns the object as it would be read back. */
  private static ObjectNode stored(ObjectNode object) {
    return Json.parse(object.toString());
  }

  /** Returns each path once, without indexes and names, with the first accepted row that has it. */
  private static List<Place> places() throws IOException {
    Map<String, Place> places = new LinkedHashMap<>();
    add("every-field.yaml", everyField(), places);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(CREATED)), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        ObjectNode row = Json.parse(line);
        if (row.get("answer").get("code").intValue() == 201) {
          add(row.get("id").stringValue(), (ObjectNode) row.get("request"), places);
        }
      }
    }
    return List.copyOf(places.values());
  }

  private static void add(String row, ObjectNode request, Map<String, Place> places) {
    walk(
        request,
        "",
        List.of(),
        (path, steps) -> places.putIfAbsent(path, new Place(row, request, path, steps)));
  }

  private static ObjectNode everyField() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            SystematicMutationsTest.class.getResourceAsStream("every-field.yaml"))) {
      Document document = Documents.read("every-field.yaml", in.readAllBytes()).getFirst();
      assertThat(document.faults()).isEmpty();
      ObjectNode job = document.object().copy();
      assertThat(JobAdmission.create(job, "UID", FeatureGates.DEFAULT)).isEmpty();
      return document.object().copy();
    }
  }

  private static void walk(
      JsonNode node, String path, List<Object> steps, BiConsumer<String, List<Object>> found) {
    if (!steps.isEmpty()) {
      found.accept(path, steps);
    }
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(member -> {
            String name = member.getKey();
            String next = name.chars().allMatch(Character::isLetterOrDigit) ? "." + name : "[*]";
            walk(member.getValue(), path + next, plus(steps, name), found);
          });
    } else if (node instanceof ArrayNode items) {
      for (int i = 0; i < items.size(); i++) {
        walk(items.get(i), path + "[]", plus(steps, i), found);
      }
    }
  }

  private static List<Object> plus(List<Object> steps, Object step) {
    List<Object> more = new ArrayList<>(steps);
    more.add(step);
    return more;
  }

  private static Map<String, ObjectNode> mutations(Place place) {
    Map<String, ObjectNode> all = new LinkedHashMap<>();
    VALUES.forEach((name, value) -> all.put(name, with(place, value)));
    JsonNode found = at(place.request, place.steps);
    if (found instanceof ArrayNode items) {
      all.put("[null]", with(place, NODES.arrayNode().add(NODES.nullNode())));
      all.put("[{}]", with(place, NODES.arrayNode().add(NODES.objectNode())));
      if (!items.isEmpty()) {
        all.put("twice", with(place, items.deepCopy().add(items.get(0))));
        all.put("and null", with(place, items.deepCopy().addNull()));
      }
    } else if (found instanceof ObjectNode members) {
      all.put("no such member", with(place, members.deepCopy().put("noSuch", 1)));
      all.put("key \"\"", with(place, members.deepCopy().put("", "a")));
      all.put("key \"a b\"", with(place, members.deepCopy().put("a b", "a")));
      all.put("value \"\"", with(place, members.deepCopy().put("ok", "")));
    }
    return all;
  }

  private static ObjectNode with(Place place, JsonNode value) {
    ObjectNode copy = place.request.deepCopy();
    JsonNode parent = at(copy, place.steps.subList(0, place.steps.size() - 1));
    Object last = place.steps.getLast();
    if (parent instanceof ArrayNode items) {
      items.set((Integer) last, value.deepCopy());
    } else {
      ((ObjectNode) parent).set((String) last, value.deepCopy());
    }
    return copy;
  }

  private static JsonNode at(JsonNode root, List<Object> steps) {
    JsonNode node = root;
    for (Object step : steps) {
      node = step instanceof Integer index ? node.get(index) : node.get((String) step);
    }
    return node;
  }
}
