package dev.stint.apiserver.patch;

import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.Formats;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Validates {@code metadata.managedFields} that a client writes. */
public final class ManagedFieldsRules {
  private static final int LONGEST_MANAGER = 128;
  private static final int LONGEST_SUBRESOURCE = 256;

  private ManagedFieldsRules() {}

  /**
   * Returns the faults of entries that would be stored. Entries of another version than the
   * object's, and all of a list with a malformed entry, are not stored, and so not checked.
   *
   * @param before null for a new object
   * @param wanted the document of a client
   * @param apiVersion that the client knows the object by
   * @param type of the object
   */
  public static List<FieldError> check(
      @Nullable ObjectNode before, ObjectNode wanted, String apiVersion, DocumentShape type) {
    JsonNode given = wanted.path("metadata").get("managedFields");
    if (given == null || before != null && given == before.path("metadata").get("managedFields")) {
      return List.of();
    }
    List<ManagedFieldsEntry> entries = ManagedFieldsEntry.read(given);
    if (entries == null || !ManagedFieldsEntry.areSound(entries)) {
      return List.of();
    }
    FieldErrors faults = new FieldErrors();
    List<ManagedFieldsEntry> stored =
        ManagedFieldsEntry.sorted(ManagedFieldsEntry.ofVersion(apiVersion, entries, type));
    for (int i = 0; i < stored.size(); i++) {
      entry("metadata.managedFields[" + i + "]", stored.get(i).manager(), faults);
    }
    return faults.list();
  }

  private static void entry(String path, FieldManager manager, FieldErrors faults) {
    if (Formats.bytes(manager.name()) > LONGEST_MANAGER) {
      faults.tooLong(path + ".manager", "may not be more than 128 bytes");
    }
    if (!manager.name().codePoints().allMatch(ManagedFieldsRules::isPrintable)) {
      faults.invalid(path + ".manager", "should only contain printable characters");
    }
    if (Formats.bytes(manager.subresource()) > LONGEST_SUBRESOURCE) {
      faults.tooLong(path + ".subresource", "may not be more than 256 bytes");
    }
  }

  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> character == ' ';
      default -> true;
    };
  }
}
