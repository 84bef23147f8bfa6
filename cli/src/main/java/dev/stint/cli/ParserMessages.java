package dev.stint.cli;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The sentences about command lines that the parser refuses. */
final class ParserMessages {
  /** Commands of other programs about themselves. */
  private static final Set<String> ABOUT_ITSELF =
      Set.of("upgrade", "update", "self-update", "install", "uninstall");

  private static final Pattern NONE_OF =
      Pattern.compile("expected one of \\[(.*)] \\(case-sensitive\\) but was '(.*)'");

  private static final Pattern POSITION =
      Pattern.compile("^Invalid value for positional parameter at index \\S+ \\((.*?)\\): ");

  private ParserMessages() {}

  /** Returns one line about the fault, with commands that may have been meant. */
  static String of(ParameterException fault) {
    if (fault instanceof UnmatchedArgumentException unmatched) {
      return ofUnmatched(unmatched);
    }
    return fault instanceof MissingParameterException missing
        ? ofMissing(missing)
        : firstLine(fault);
  }

  /** A flag without its value is a fault of the same kind as a flag that is missing itself. */
  private static String ofMissing(MissingParameterException fault) {
    List<ArgSpec> missing = fault.getMissing();
    if (missing.size() == 1
        && missing.getFirst() instanceof OptionSpec flag
        && !firstLine(fault).startsWith("Missing required option")) {
      return flag.longestName() + " needs a value: " + flag.paramLabel();
    }
    return isPlain(missing)
        ? "missing "
            + missing.stream().map(ParserMessages::label).collect(Collectors.joining(" and "))
        : firstLine(fault);
  }

  private static String ofUnmatched(UnmatchedArgumentException fault) {
    List<String> words = fault.getUnmatched();
    if (fault.getCommandLine().getParent() != null
        || words.isEmpty()
        || words.getFirst().startsWith("-")) {
      return firstLine(fault) + suggestions(fault);
    }
    String word = words.getFirst();
    return "unknown command \""
        + word
        + "\""
        + (ABOUT_ITSELF.contains(word)
            ? "; stint is upgraded and removed the way it was installed (docs/upgrading.md)"
            : suggestions(fault));
  }

  private static String suggestions(UnmatchedArgumentException fault) {
    List<String> similar = fault.getSuggestions();
    return similar.isEmpty() ? "" : " (did you mean " + String.join(" or ", similar) + "?)";
  }

  /** True if each of these is required by itself, and not one of a group. */
  private static boolean isPlain(List<ArgSpec> missing) {
    return !missing.isEmpty() && missing.stream().allMatch(each -> each.group() == null);
  }

  private static String label(ArgSpec missing) {
    return missing instanceof OptionSpec option ? option.longestName() : missing.paramLabel();
  }

  private static String firstLine(ParameterException fault) {
    String line =
        String.valueOf(fault.getMessage())
            .lines()
            .findFirst()
            .orElse("invalid command line")
            .replaceFirst("^Error: ", "");
    Matcher noneOf = NONE_OF.matcher(line);
    return POSITION.matcher(noneOf.replaceFirst("\"$2\" is none of $1")).replaceFirst("$1: ");
  }
}
