package dev.stint.apiextensions.rule;

import com.google.re2j.Pattern;
import java.util.Set;

/** The names under which rules reach members. CEL allows fewer characters than JSON. */
final class FieldNames {
  private static final Pattern REACHABLE = Pattern.compile("[a-zA-Z_./-][a-zA-Z0-9_./-]*");
  private static final Pattern PLAIN = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private FieldNames() {}

  /** True if rules can name a member. */
  static boolean isReachable(String member) {
    return REACHABLE.matches(member);
  }

  /** True if a member is a word of CEL that can be a field's name all the same. */
  static boolean isReserved(String member) {
    return RESERVED.contains(member);
  }

  /** Returns the escaped name of a reachable member. */
  static String escaped(String member) {
    if (isReserved(member)) {
      return "__" + member + "__";
    }
    if (PLAIN.matches(member) && !member.contains("__")) {
      return member;
    }
    return member
        .replace("__", "__underscores__")
        .replace(".", "__dot__")
        .replace("-", "__dash__")
        .replace("/", "__slash__");
  }
}
