package dev.stint.apiextensions.rule.library;

import com.google.re2j.Pattern;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.stint.apiextensions.rule.cost.LibraryValue;
import dev.stint.apiextensions.value.TextFormats;
import dev.stint.model.field.Formats;
import dev.stint.model.field.MessagePhrases;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A format of texts that rules know by its name. */
final class NamedFormat extends LibraryValue {
  static final CelType TYPE = OpaqueType.create("kubernetes.NamedFormat");

  private static final int LONGEST_LABEL = 63;
  private static final Pattern LABEL_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
  private static final String LABEL_1035_RULE =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
          + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or"
          + " 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

  private static final Map<String, NamedFormat> ALL = new LinkedHashMap<>();

  static {
    add("dns1123Label", 30, text -> rule(text, Formats.dnsLabel(text)));
    add("dns1123Subdomain", 60, text -> rule(text, Formats.dnsSubdomain(text)));
    add("dns1035Label", 30, NamedFormat::label1035);
    add("qualifiedName", 60, text -> rule(text, Formats.qualifiedName(text)));
    addPrefix("dns1123Label");
    addPrefix("dns1123Subdomain");
    addPrefix("dns1035Label");
    add("labelValue", 40, text -> rule(text, Formats.labelValue(text)));
    add(
        "uri",
        1103,
        text -> Url.parse(text) == null ? "parse \"" + text + "\": invalid URI for request" : null);
    add("uuid", 70, matching("uuid", "does not match the UUID format"));
    add("byte", 84, matching("byte", "invalid base64"));
    add("date", 71, matching("date", "invalid date"));
    add("datetime", 71, matching("datetime", "invalid datetime"));
  }

  private final String name;
  private final int patternLength;
  private final Check check;

  /** The rule of a format. */
  private interface Check {
    /** Returns what is wrong with a text; null if it has the format. */
    @Nullable String fault(String text);
  }

  private NamedFormat(String name, int patternLength, Check check) {
    this.name = name;
    this.patternLength = patternLength;
    this.check = check;
  }

  /** Returns all formats by their names. */
  static Map<String, NamedFormat> all() {
    return ALL;
  }

  /** Returns what is wrong with a text; null if it has this format. */
  @Nullable String fault(String text) {
    return check.fault(text);
  }

  private static void add(String name, int patternLength, Check check) {
    ALL.put(name, new NamedFormat(name, patternLength, check));
  }

  /** Adds the format of the beginnings of names, which may end with a dash. */
  private static void addPrefix(String whole) {
    NamedFormat format = ALL.getOrDefault(whole, ALL.values().iterator().next());
    add(whole + "Prefix", format.patternLength, text -> format.fault(completed(text)));
  }

  private static String completed(String text) {
    return text.length() > 1 && text.endsWith("-")
        ? text.substring(0, text.length() - 2) + "a"
        : text;
  }

  /** Returns a fault without the text that it is about. */
  private static @Nullable String rule(String text, @Nullable String fault) {
    String about = MessagePhrases.quoted(text) + ": ";
    return fault != null && fault.startsWith(about) ? fault.substring(about.length()) : fault;
  }

  private static @Nullable String label1035(String text) {
    if (text.length() > LONGEST_LABEL) {
      return "must be no more than " + LONGEST_LABEL + " characters";
    }
    return LABEL_1035.matches(text) ? null : LABEL_1035_RULE;
  }

  private static Check matching(String format, String fault) {
    return text -> TextFormats.matches(format, text) ? null : fault;
  }

  /** Returns the length of the pattern that stands for this format. */
  @Override
  public long size() {
    return patternLength;
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NamedFormat format && name.equals(format.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
