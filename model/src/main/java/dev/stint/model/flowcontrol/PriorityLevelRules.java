package dev.stint.model.flowcontrol;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rules of a PriorityLevelConfiguration. */
public final class PriorityLevelRules {
  private static final List<String> TYPES = List.of("Exempt", "Limited");
  private static final List<String> RESPONSES = List.of("Queue", "Reject");
  private static final int DEFAULT_SHARES = 30;
  private static final int DEFAULT_QUEUES = 64;
  private static final int DEFAULT_HAND = 8;
  private static final int DEFAULT_LENGTH = 50;
  private static final int MOST_QUEUES = 10_000_000;
  private static final int MOST_BITS = 60;

  private PriorityLevelRules() {}

  /** Sets the defaults. */
  public static void complete(ObjectNode level) {
    ObjectNode spec = Json.objectAt(level, "spec");
    if (spec == null) {
      return;
    }
    if ("Exempt".equals(Json.text(spec, "type"))) {
      shares(spec.withObjectProperty("exempt"), 0);
    }
    ObjectNode limited = Json.objectAt(spec, "limited");
    if (limited != null) {
      shares(limited, DEFAULT_SHARES);
      queues(Json.objectAt(Json.objectAt(limited, "limitResponse"), "queuing"));
    }
  }

  private static void shares(ObjectNode limits, int usual) {
    putIfAbsent(limits, "nominalConcurrencyShares", usual);
    putIfAbsent(limits, "lendablePercent", 0);
  }

  private static void putIfAbsent(ObjectNode limits, String member, int value) {
    if (!FieldPath.root(limits).get(member).exists()) {
      limits.put(member, value);
    }
  }

  private static void queues(@Nullable ObjectNode queuing) {
    if (queuing != null) {
      putIfZero(queuing, "handSize", DEFAULT_HAND);
      putIfZero(queuing, "queues", DEFAULT_QUEUES);
      putIfZero(queuing, "queueLengthLimit", DEFAULT_LENGTH);
    }
  }

  private static void putIfZero(ObjectNode queuing, String member, int value) {
    if (FieldPath.root(queuing).get(member).count() == 0) {
      queuing.put(member, value);
    }
  }

  /** Checks a new or changed level with its defaults from {@link #complete}. */
  public static void check(FieldPath root, FieldErrors faults) {
    FieldPath spec = root.get("spec");
    BuiltInFlowControl.checkFixed(Kind.PRIORITY_LEVEL, root, faults);
    boolean named = root.get("metadata", "name").text().equals(BuiltInFlowControl.EXEMPT);
    FieldPath type = spec.get("type");
    if (named != type.text().equals("Exempt")) {
      faults.invalid(type, "type must be 'Exempt' if and only if `metadata.name` is 'exempt'");
    }
    switch (type.text()) {
      case "Exempt" -> exempt(spec, faults);
      case "Limited" -> limited(spec, faults);
      default -> faults.notSupported(type, TYPES);
    }
  }

  /** Checks a written status. */
  public static void status(FieldPath status, FieldErrors faults) {
    FlowControlConditions.check(status.get("conditions"), faults);
  }

  private static void exempt(FieldPath spec, FieldErrors faults) {
    if (spec.get("limited").exists()) {
      faults.forbidden(spec.get("limited"), "must be nil if the type is not Limited");
    }
    seats(spec.get("exempt"), faults);
  }

  private static void limited(FieldPath spec, FieldErrors faults) {
    if (spec.get("exempt").exists()) {
      faults.forbidden(spec.get("exempt"), "must be nil if the type is Limited");
    }
    FieldPath limited = spec.get("limited");
    if (!limited.exists()) {
      faults.required(limited, "must not be empty when type is Limited");
      return;
    }
    seats(limited, faults);
    notNegative(limited.get("borrowingLimitPercent"), faults);
    response(limited.get("limitResponse"), faults);
  }

  private static void seats(FieldPath limits, FieldErrors faults) {
    notNegative(limits.get("nominalConcurrencyShares"), faults);
    FieldPath lendable = limits.get("lendablePercent");
    if (lendable.count() < 0 || lendable.count() > 100) {
      faults.invalid(lendable, "must be between 0 and 100, inclusive");
    }
  }

  private static void notNegative(FieldPath number, FieldErrors faults) {
    if (number.count() < 0) {
      faults.invalid(number, "must be a non-negative integer");
    }
  }

  private static void response(FieldPath response, FieldErrors faults) {
    FieldPath queuing = response.get("queuing");
    switch (response.get("type").text()) {
      case "Reject" -> {
        if (queuing.exists()) {
          faults.forbidden(queuing, "must be nil if limited.limitResponse.type is not Queue");
        }
      }
      case "Queue" -> {
        if (queuing.exists()) {
          queuing(queuing, faults);
        } else {
          faults.required(queuing, "must not be empty if limited.limitResponse.type is Queue");
        }
      }
      default -> faults.notSupported(response.get("type"), RESPONSES);
    }
  }

  private static void queuing(FieldPath queuing, FieldErrors faults) {
    FieldPath queues = queuing.get("queues");
    FieldPath hand = queuing.get("handSize");
    positive(queuing.get("queueLengthLimit"), faults);
    positive(queues, faults);
    positive(hand, faults);
    if (queues.count() > MOST_QUEUES) {
      faults.invalid(queues, "must not be greater than " + MOST_QUEUES);
    } else if (hand.count() > queues.count()) {
      faults.invalid(hand, "should not be greater than queues (" + queues.count() + ")");
    } else if (bits(queues.count(), hand.count()) > MOST_BITS) {
      faults.invalid(
          hand,
          "required entropy bits of deckSize %d and handSize %d should not be greater than %d"
              .formatted(queues.count(), hand.count(), MOST_BITS));
    }
  }

  private static void positive(FieldPath number, FieldErrors faults) {
    if (number.count() < 1) {
      faults.invalid(number, "must be positive");
    }
  }

  /** Returns how many random bits select a hand of queues. */
  private static double bits(long queues, long hand) {
    double bits = 0;
    for (long left = queues; left > queues - hand && bits <= MOST_BITS; left--) {
      bits += Math.log((double) left) / Math.log(2);
    }
    return Math.ceil(bits);
  }
}
