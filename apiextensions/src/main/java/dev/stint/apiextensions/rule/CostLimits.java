package dev.stint.apiextensions.rule;

/**
 * How much the rules of a definition may cost by estimate, in Kubernetes' units, and whether they
 * have to compile.
 *
 * @param ofRule what one rule may cost for a whole object
 * @param ofSchema what all rules of a schema may cost together
 * @param isKept whether the schema was taken before: a rule that does not compile any more is taken
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
