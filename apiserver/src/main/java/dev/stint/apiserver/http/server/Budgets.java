package dev.stint.apiserver.http.server;

/**
 * The memory that all requests of a server share.
 *
 * @param requests the memory of requests
 * @param refusals the memory of requests that do not fit there, until their refusals are sent
 * @param checks the memory of health checks and their answers
 */
record Budgets(
    SharedBudget requests,
    SharedBudget refusals,
    SharedBudget checks,
    SharedBudget bodies,
    SharedBudget answers,
    SharedBudget streams,
    SharedBudget sessions) {

  /** The part of the memory of requests that each of the smaller budgets has. */
  private static final int ASIDE = 16;

  static Budgets of(HttpLimits limits) {
    return new Budgets(
        new SharedBudget(limits.requestBytes(), 0),
        new SharedBudget(limits.requestBytes() / ASIDE, 0),
        new SharedBudget(limits.requestBytes() / ASIDE, 0),
        new SharedBudget(limits.allBodyBytes(), limits.bodyBytes()),
        new SharedBudget(limits.answerBytes(), limits.bodyBytes()),
        new SharedBudget(limits.streams(), 1),
        new SharedBudget(limits.sessions(), 1));
  }
}
