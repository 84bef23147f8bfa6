package dev.stint.apiextensions.rule;

/**
 * The limits of the estimated costs of a definition's rules, in Kubernetes' units.
 *
 * @param ofRule the limit of one rule, for a whole object
 * @param ofSchema the limit of all rules of a schema together
 * @param isKept true if the schema was accepted before: a rule that no longer compiles is accepted
 *     again and fails each write, as in Kubernetes
 */
public record CostLimits(long ofRule, long ofSchema, boolean isKept) {
  private static final long OF_SCHEMA = 100_000_000;

  public static final CostLimits STANDARD = new CostLimits(10_000_000, OF_SCHEMA, false);

  /** The limits of a schema that an update leaves as it is. */
  public static final CostLimits UNCHANGED = new CostLimits(Long.MAX_VALUE, OF_SCHEMA, true);

  /** The limits of a stored schema: it is served whatever it costs. */
  public static final CostLimits NONE = new CostLimits(Long.MAX_VALUE, Long.MAX_VALUE, true);
}
