package dev.stint.cli.simulate;

import dev.stint.cli.file.JobFiles;
import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.flag.CpuConverter;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.document.Document;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Another policy for the same Jobs: other values of fields of their specifications, such as {@code
 * parallelism=8,backoffLimitPerIndex=2}, or of the room for pods, such as {@code nodes=3}.
 *
 * @param text the change, as it was given
 */
record PolicyChange(String text, List<Assignment> assignments) {
  private static final Pattern ASSIGNMENT =
      Pattern.compile("([A-Za-z][\\w-]*(?:\\[\\d{1,4}])?(?:\\.[\\w-]+(?:\\[\\d{1,4}])?)*)=(.*)");
  private static final Pattern NEXT = Pattern.compile(",(?=[A-Za-z][\\w.\\[\\]-]*=)");
  private static final Pattern WHOLE = Pattern.compile("[1-9]\\d{0,5}");

  /**
   * One new value.
   *
   * @param field without {@code spec.}, or the name of a flag without its dashes
   */
  record Assignment(String field, String value) {
    boolean isRoom() {
      return ROOM.contains(field);
    }
  }

  private static final List<String> ROOM =
      List.of("max-pods", "machine-cpu", "machine-memory", "nodes");

  /** Parses a change; returns null if the text is not a change, but the name of a file. */
  static @Nullable PolicyChange parse(String text) {
    List<Assignment> assignments = new ArrayList<>();
    for (String part : NEXT.split(text)) {
      Matcher found = ASSIGNMENT.matcher(part.strip());
      if (!found.matches()) {
        return null;
      }
      String field = found.group(1);
      String inSpec = field.startsWith("spec.") ? field.substring("spec.".length()) : field;
      assignments.add(new Assignment(inSpec, found.group(2)));
    }
    return new PolicyChange(text, assignments);
  }

  private UserException refusal(String why) {
    return new UserException("--compare " + text + ": " + why);
  }

  /** Returns the changed room for pods. */
  Capacity apply(Capacity room) {
    Capacity changed = room;
    for (Assignment each : assignments) {
      changed = each.isRoom() ? apply(each, changed) : changed;
    }
    return changed;
  }

  private Capacity apply(Assignment each, Capacity room) {
    try {
      return switch (each.field()) {
        case "machine-cpu" ->
            room.withMilliCpu(
                new CpuConverter().convert(each.value()).movePointRight(3).longValue());
        case "machine-memory" ->
            room.withMemoryBytes(new ByteSizeConverter().convert(each.value()));
        case "nodes" -> room.withNodes(whole(each));
        default -> room.withMaxPods(whole(each));
      };
    } catch (TypeConversionException fault) {
      throw refusal(each.field() + ": " + fault.getMessage());
    }
  }

  private int whole(Assignment each) {
    if (!WHOLE.matcher(each.value()).matches()) {
      throw refusal(each.field() + " must be at least 1");
    }
    return Integer.parseInt(each.value());
  }

  /**
   * Returns the changed Jobs.
   *
   * @throws UserException if a Job has no such field, or the change makes it invalid
   */
  Workload apply(Workload workload) {
    return workload.with(workload.jobs().stream().map(this::apply).toList());
  }

  private RequestedJob apply(RequestedJob job) {
    ObjectNode tree = job.document().object().copy();
    assignments.stream()
        .filter(each -> !each.isRoom())
        .forEach(each -> set(tree.withObjectProperty("spec"), each));
    Document document = document(tree);
    RequestedJob changed = RequestedJob.of(document);
    List<String> faults =
        Stream.concat(
                JobFiles.faults(document, FeatureGates.DEFAULT).stream().map(Object::toString),
                WorkloadReader.refusals(changed).stream())
            .map(fault -> "--compare " + text + ": " + fault)
            .toList();
    if (!faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, faults);
    }
    return changed;
  }

  private Document document(ObjectNode tree) {
    try {
      return Documents.read("--compare", Json.bytes(tree)).getFirst();
    } catch (DocumentSyntaxException fault) {
      throw refusal(String.valueOf(fault.getMessage()));
    }
  }

  private void set(ObjectNode spec, Assignment each) {
    String[] steps = each.field().replace("[", ".[").split("\\.");
    JsonNode at = spec;
    for (int i = 0; i < steps.length - 1; i++) {
      at = child(at, steps[i], steps[i + 1].startsWith("["), each);
    }
    if (at instanceof ObjectNode object && !steps[steps.length - 1].startsWith("[")) {
      put(object, steps[steps.length - 1], value(each.value()));
    } else {
      throw refusal("spec." + each.field() + ": name a field, not an element of a list");
    }
  }

  private JsonNode child(JsonNode at, String step, boolean isList, Assignment each) {
    JsonNode found =
        step.startsWith("[")
            ? at.path(Integer.parseInt(step.substring(1, step.length() - 1)))
            : at.path(step);
    if (found.isMissingNode() && at instanceof ObjectNode object && !isList) {
      return object.putObject(step);
    }
    if (isList ? !found.isArray() : !found.isObject()) {
      throw refusal("spec." + each.field() + ": the Job has no such place");
    }
    return found;
  }

  private static void put(ObjectNode object, String field, JsonNode value) {
    if (value.isNull()) {
      object.remove(field);
    } else {
      object.set(field, value);
    }
  }

  /** Parses a value as JSON; a text that is not JSON becomes a string. */
  private static JsonNode value(String text) {
    try {
      JsonNode json = Json.read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      return json.isMissingNode() ? Json.text(text) : json;
    } catch (JacksonException plain) {
      return Json.text(text);
    }
  }
}
