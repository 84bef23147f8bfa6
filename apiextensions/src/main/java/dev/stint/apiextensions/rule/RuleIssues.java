package dev.stint.apiextensions.rule;

import dev.cel.common.CelIssue;
import dev.cel.common.Source;
import java.util.List;

/** The issues that a compiler finds in a rule, as they are shown. */
final class RuleIssues {
  private static final int MOST = 100;

  /** Each issue shows its line, so a long rule shows fewer of them. */
  private static final int MOST_CHARACTERS = 20_000;

  private RuleIssues() {}

  /** Returns the text of the first issues: as many as do not get too long together. */
  static String shown(List<CelIssue> issues, Source source) {
    int length = source.getContent().size();
    int most = Math.clamp(MOST_CHARACTERS / (length + 1), 1, MOST);
    return CelIssue.toDisplayString(issues.stream().limit(most).toList(), source);
  }
}
