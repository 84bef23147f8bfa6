package dev.stint.apiextensions.value;

import dev.stint.model.Json;
import dev.stint.model.document.DocumentLimits;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Trail;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Collects the faults of one object, in the words of Kubernetes: the first {@link
 * DocumentLimits#FAULTS}.
 */
public final class Findings {
  /** The path of faults of the object as a whole. */
  public static final String WHOLE = "<nil>";

  private final Trail trail;
  private final List<FieldError> faults = new ArrayList<>();

  public Findings(Trail trail) {
    this.trail = trail;
  }

  /** Returns an empty collector for the same place. */
  Findings aside() {
    return new Findings(trail);
  }

  public Trail trail() {
    return trail;
  }

  public List<FieldError> list() {
    return faults;
  }

  boolean isEmpty() {
    return faults.isEmpty();
  }

  void addAll(Findings others) {
    others.faults.forEach(fault -> add(() -> fault));
  }

  /** Adds a fault of the value at hand; the message names the place. */
  void invalid(String what, @Nullable JsonNode value) {
    add(FieldError.Type.INVALID, () -> place() + " in body " + what, value);
  }

  /** Adds a value of a wrong type. */
  void wrongType(String wanted, String found) {
    add(
        FieldError.Type.TYPE_INVALID,
        () -> place() + " in body must be of type " + wanted + ": \"" + found + '"',
        Json.text(found));
  }

  void add(FieldError.Type type, String detail, @Nullable JsonNode value) {
    add(type, () -> detail, value);
  }

  /** Returns a fault of a value as one of what holds the value at a path. */
  public static FieldError below(String path, FieldError fault) {
    String within = fault.path().equals(WHOLE) ? "" : fault.path();
    String dot = within.isEmpty() || within.startsWith("[") ? "" : ".";
    return new FieldError(path + dot + within, fault.type(), fault.detail(), fault.value());
  }

  /** Adds a fault whose path begins at the value at hand. */
  void addWithin(FieldError fault) {
    add(() -> new FieldError(within(fault.path()), fault.type(), fault.detail(), fault.value()));
  }

  /** Adds a fault at a member. */
  void missing(String member) {
    add(() -> new FieldError(within(member), FieldError.Type.REQUIRED, "is required"));
  }

  /** Adds a fault that Kubernetes reports for the object as a whole. */
  void whole(String detail) {
    add(() -> new FieldError(WHOLE, FieldError.Type.INVALID, detail, Json.text("")));
  }

  /** Adds a duplicate at the place, with keys of maps in brackets. */
  void duplicate(JsonNode value) {
    add(() ->
        new FieldError(trail.bracketed(), FieldError.Type.DUPLICATE, "is a duplicate", value));
  }

  private void add(FieldError.Type type, Supplier<String> detail, @Nullable JsonNode value) {
    add(() -> new FieldError(orWhole(place()), type, detail.get(), value));
  }

  /**
   * Adds a fault, unless there are many already. Makes no texts of others: with their paths they
   * could be many times as long as the object.
   */
  private void add(Supplier<FieldError> fault) {
    if (faults.size() < DocumentLimits.FAULTS) {
      faults.add(fault.get());
    }
  }

  /** Returns the path of the value at hand. */
  String place() {
    return trail.dotted();
  }

  private String within(String path) {
    String place = place();
    return place.isEmpty() ? path : place + "." + path;
  }

  private static String orWhole(String path) {
    return path.isEmpty() ? WHOLE : path;
  }
}
