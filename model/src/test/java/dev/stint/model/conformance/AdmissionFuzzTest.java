package dev.stint.model.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.cron.CronJobAdmission;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.job.JobAdmission;
import dev.stint.model.pod.PodDefaults;
import dev.stint.model.pod.PodValidation;
import dev.stint.model.schema.FieldSchema;
import dev.stint.model.schema.ObjectSchema;
import dev.stint.model.schema.Schema;
import dev.stint.model.schema.ValueType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Arbitrary trees, most of them shaped like their kind and filled with harmful values, pass through
 * everything between a request and the store: there is always an answer, and always soon. {@code
 * -Drounds=N} tries more of them.
 */
class AdmissionFuzzTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 200);
  private static final Duration HANG = Duration.ofMinutes(5);
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String[] TEXTS = {
    "",
    "a",
    "A",
    "-",
    "x".repeat(300),
    "1,3-5,7",
    "0-2147483647",
    "5-1",
    "1,1",
    "Indexed",
    "NonIndexed",
    "Never",
    "OnFailure",
    "Always",
    "True",
    "Failed",
    "Complete",
    "Suspended",
    "SuccessCriteriaMet",
    "FailureTarget",
    "FailIndex",
    "Ignore",
    "In",
    "NotIn",
    "Exists",
    "100m",
    "1e99",
    "-1Gi",
    "2026-01-01T00:00:00Z",
    "9999-99-99T00:00:00Z",
    "example.com/a",
    "a/b/c",
    "* * * * *",
    "*/0 * * * *",
    "@every 1h",
    "@every 99999999999h",
    "TZ=0",
    "CRON_TZ=UTC * * * * *",
    "Europe/Berlin",
    "/",
    "../..",
    "\u0000",
    "\uD800",
    "é",
    "$(A)",
    "10.0.0.1",
    "::1",
    "main",
  };
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    20,
    21,
    255,
    256,
    10_000,
    100_001,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE + 1L,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void everyTreeIsAnswered(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      ObjectNode before = document(random);
      ObjectNode after = random.nextInt(3) == 0 ? document(random) : mutated(before, random);
      FeatureGates gates = gates(random);
      int found =
          assertTimeoutPreemptively(
              HANG,
              () -> answer(before, after, gates),
              () -> "seed " + seed + ", hangs on " + before + " and " + after);
      assertThat(found).as("seed %s, round %s", seed, round).isNotNegative();
    }
  }

  /** Counts the faults over all entry points. */
  private static int answer(ObjectNode before, ObjectNode after, FeatureGates gates) {
    try {
      List<FieldError> faults = new ArrayList<>();
      job(before, after, gates, faults);
      cronJob(before, after, gates, faults);
      pod(before, faults);
      faults.forEach(fault -> assertThat(fault.message()).isNotBlank());
      return faults.size();
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("no answer to " + before + "\nand " + after, e);
    }
  }

  private static void job(
      ObjectNode before, ObjectNode after, FeatureGates gates, List<FieldError> faults) {
    ObjectNode stored = decoded(before, "Job", faults);
    faults.addAll(JobAdmission.create(stored, "uid", gates));
    ObjectNode changed = decoded(after, "Job", faults);
    faults.addAll(JobAdmission.update(decoded(before, "Job", faults), changed, gates));
    ObjectNode status = decoded(after, "Job", faults);
    faults.addAll(JobAdmission.updateStatus(decoded(before, "Job", faults), status, gates));
  }

  private static void cronJob(
      ObjectNode before, ObjectNode after, FeatureGates gates, List<FieldError> faults) {
    faults.addAll(CronJobAdmission.create(decoded(before, "CronJob", faults), gates));
    ObjectNode changed = decoded(after, "CronJob", faults);
    faults.addAll(CronJobAdmission.update(decoded(before, "CronJob", faults), changed, gates));
  }

  private static void pod(ObjectNode tree, List<FieldError> faults) {
    ObjectNode pod = decoded(tree, "Pod", faults);
    PodDefaults.applyToPod(pod);
    faults.addAll(PodValidation.create(pod));
  }

  private static ObjectNode decoded(ObjectNode tree, String kind, List<FieldError> faults) {
    FieldErrors found = new FieldErrors();
    ObjectNode decoded = Documents.decode(tree, Schema.type(kind), found);
    faults.addAll(found.list());
    return decoded;
  }

  private static FeatureGates gates(Random random) {
    FeatureGates gates = FeatureGates.DEFAULT;
    for (Gate gate : Gate.values()) {
      gates = gates.with(gate, random.nextInt(4) > 0);
    }
    return gates;
  }

  private static ObjectNode document(Random random) {
    String kind = List.of("Job", "CronJob", "Pod").get(random.nextInt(3));
    return random.nextInt(20) == 0
        ? NODES.objectNode().set("spec", anything(random, 6))
        : object(Schema.type(kind), random, 12);
  }

  private static ObjectNode object(ObjectSchema type, Random random, int depth) {
    ObjectNode tree = NODES.objectNode();
    for (FieldSchema field : type.fields().values()) {
      boolean structure =
          List.of("spec", "template", "jobTemplate", "status").contains(field.name());
      if (structure || random.nextInt(3) == 0) {
        tree.set(field.name(), value(field.type(), random, depth - 1));
      }
    }
    return tree;
  }

  private static JsonNode value(ValueType type, Random random, int depth) {
    if (depth <= 0 || random.nextInt(60) == 0) {
      return anything(random, 2);
    }
    return switch (type) {
      case ValueType.Reference(String name) -> object(Schema.type(name), random, depth);
      case ValueType.ListOf(ValueType item) -> {
        ArrayNode list = NODES.arrayNode();
        int size = random.nextInt(random.nextInt(30) == 0 ? 25 : 3);
        for (int i = 0; i < size; i++) {
          list.add(value(item, random, depth - 2));
        }
        yield list;
      }
      case ValueType.MapOf(ValueType item) ->
          NODES.objectNode().set(text(random), value(item, random, depth - 1));
      case ValueType.Scalar scalar -> scalar(scalar, random);
    };
  }

  private static JsonNode scalar(ValueType.Scalar type, Random random) {
    return switch (type) {
      case BOOLEAN -> NODES.booleanNode(random.nextBoolean());
      case INT32 -> NODES.numberNode((int) NUMBERS[random.nextInt(NUMBERS.length)]);
      case INT64 -> NODES.numberNode(NUMBERS[random.nextInt(NUMBERS.length)]);
      case TIME, MICRO_TIME -> NODES.stringNode("2026-01-0" + random.nextInt(4) + "T00:00:00Z");
      default -> NODES.stringNode(text(random));
    };
  }

  private static JsonNode anything(Random random, int depth) {
    return switch (random.nextInt(depth <= 0 ? 5 : 7)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(random.nextBoolean());
      case 2 -> NODES.numberNode(NUMBERS[random.nextInt(NUMBERS.length)]);
      case 3 -> NODES.numberNode(random.nextDouble() * 1e300);
      case 4 -> NODES.stringNode(text(random));
      case 5 -> NODES.arrayNode().add(anything(random, depth - 1));
      default -> NODES.objectNode().set(text(random), anything(random, depth - 1));
    };
  }

  private static String text(Random random) {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  /** Returns the same tree with a few of its members replaced. */
  private static ObjectNode mutated(ObjectNode tree, Random random) {
    ObjectNode copy = tree.deepCopy();
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      ObjectNode at = copy;
      while (true) {
        List<String> names = new ArrayList<>(at.propertyNames());
        if (names.isEmpty()) {
          break;
        }
        String name = names.get(random.nextInt(names.size()));
        if (at.get(name) instanceof ObjectNode inner && random.nextInt(4) > 0) {
          at = inner;
        } else {
          at.set(name, anything(random, 2));
          break;
        }
      }
    }
    return copy;
  }
}
