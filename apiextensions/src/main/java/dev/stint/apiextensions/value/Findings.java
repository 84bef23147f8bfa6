package dev.stint.apiextensions.value;

import dev.stint.model.Json;
import dev.stint.model.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Collects the faults of one object, in the words of Kubernetes. */
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
    faults.addAll(others.faults);
  }

  /** Adds a fault of the value at hand; the message names the place. */
  void invalid(String what, @Nullable JsonNode value) {
    add(FieldError.Type.INVALID, place() + " in body " + what, value);
  }

  /** Adds a value of a wrong type. */
  void wrongType(String wanted, String found) {
    add(
        FieldError.Type.TYPE_INVALID,
        place() + " in body must be of type " + wanted + ": \"" + found + '"',
        Json.text(found));
  }

  void add(FieldError.Type type, String detail, @Nullable JsonNode value) {
    faults.add(new FieldError(orWhole(place()), type, detail, value));
  }

  /** Adds a fault whose path begins at the value at hand. */
  void addWithin(FieldError fault) {
    String place = place();
    String path = place.isEmpty() ? fault.path() : place + "." + fault.path();
    faults.add(new FieldError(path, fault.type(), fault.detail(), fault.value()));
  }

  /** Adds a fault at a member. */
  void missing(String member) {
    String place = place();
    faults.add(
        new FieldError(
            place.isEmpty() ? member : place + "." + member,
            FieldError.Type.REQUIRED,
            "is required"));
  }

  /** Adds a fault that Kubernetes reports for the object as a whole. */
  void whole(String detail) {
    faults.add(new FieldError(WHOLE, FieldError.Type.INVALID, detail, Json.text("")));
  }

  /** Adds a duplicate at the place, with keys of maps in brackets. */
  void duplicate(JsonNode value) {
    faults.add(
        new FieldError(trail.bracketed(), FieldError.Type.DUPLICATE, "is a duplicate", value));
  }

  /** Returns the path of the value at hand. */
  String place() {
    return trail.dotted();
  }

  private static String orWhole(String path) {
    return path.isEmpty() ? WHOLE : path;
  }
}
