package dev.stint.model.job.options;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When and why a Job succeeds beyond its specification: the alternatives that KEP-3998 and KEP-3850
 * weigh (decision 92).
 *
 * @param percentage how many of the completions are enough, in percent; null for all
 * @param count how many succeeded pods are enough; null for as many as the specification says
 * @param reasons the reasons of the success, by rule; rules beyond them have the usual one
 * @param linger the way of the pods that still run
 * @param withFailedIndexes whether a Job is complete with as many failed indexes as it allows
 */
public record SuccessOptions(
    @Nullable Integer percentage,
    @Nullable Integer count,
    List<String> reasons,
    Linger linger,
    boolean withFailedIndexes) {
  /** The options of a Job that succeeds as its specification says. */
  static final SuccessOptions NONE =
      new SuccessOptions(null, null, List.of(), Linger.Terminate, false);

  private static final Pattern PERCENTAGE = Pattern.compile("(100|[1-9]\\d?)%?");
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");
  private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");

  /** A reason that says something else of every Job. */
  private static final String COMPLETIONS = "CompletionsReached";

  /** True if enough successes are given, by number or percentage. */
  public boolean hasGoal() {
    return percentage != null || count != null;
  }

  /** Returns how many of the completions are enough by a percentage, rounded up. */
  public static long needed(int percentage, int completions) {
    return Math.ceilDiv((long) percentage * completions, 100L);
  }

  static SuccessOptions read(AnnotationReader reader, Supplier<JobShape> job) {
    Integer percentage =
        reader.read(JobOptions.SUCCESS_PERCENTAGE, text -> percentage(text, job.get()));
    Integer count = reader.read(JobOptions.SUCCESS_COUNT, text -> count(text, job.get()));
    int goals = percentage == null && count == null ? 0 : 1;
    List<String> reasons =
        reader.read(JobOptions.SUCCESS_REASON, text -> reasons(text, goals, job.get()));
    Linger linger =
        reader.read(JobOptions.LINGER, text -> Linger.parse(text, goals > 0, job.get()));
    Boolean withFailed =
        reader.read(JobOptions.COMPLETE_WITH_FAILED_INDEXES, text -> withFailed(text, job.get()));
    return new SuccessOptions(
        percentage,
        count,
        reasons == null ? List.of() : reasons,
        linger == null ? Linger.Terminate : linger,
        Boolean.TRUE.equals(withFailed));
  }

  private static Integer percentage(String text, JobShape job) {
    OptionForms.require(
        PERCENTAGE.matcher(text).matches(),
        "needs a percentage from 1% up to 100%, such as \"80%\"");
    OptionForms.require(job.completions() != null, "needs spec.completions");
    return Integer.valueOf(text.replace("%", ""));
  }

  private static Integer count(String text, JobShape job) {
    OptionForms.require(
        !job.indexed(), "is for Jobs without indexes; an Indexed Job has spec.successPolicy");
    OptionForms.require(NUMBER.matcher(text).matches(), "needs a number of pods from 1");
    Integer count = Integer.valueOf(text);
    Integer completions = job.completions();
    OptionForms.require(
        completions == null || count <= completions,
        "needs a number of pods up to spec.completions, which is " + completions);
    return count;
  }

  private static List<String> reasons(String text, int goals, JobShape job) {
    List<String> reasons = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    OptionForms.require(
        reasons.stream().allMatch(reason -> REASON.matcher(reason).matches()),
        "needs a name such as LeaderSucceeded, or one for each rule, separated by commas");
    OptionForms.require(!reasons.contains(COMPLETIONS), "cannot be " + COMPLETIONS);
    int rules = job.successRules() + goals;
    OptionForms.require(
        rules > 0,
        "needs a spec.successPolicy, "
            + JobOptions.SUCCESS_PERCENTAGE
            + " or "
            + JobOptions.SUCCESS_COUNT);
    OptionForms.require(
        reasons.size() <= rules,
        "has " + reasons.size() + " names; there are fewer rules: " + rules);
    return reasons;
  }

  private static Boolean withFailed(String text, JobShape job) {
    Boolean wanted = OptionForms.yesOrNo(text);
    OptionForms.require(
        job.perIndex() && job.limitsFailedIndexes(),
        "needs spec.backoffLimitPerIndex and spec.maxFailedIndexes");
    return wanted;
  }
}
