package dev.stint.apiserver.http.server;

/** What all requests of a server share. */
record Budgets(
    SharedBudget requests,
    SharedBudget bodies,
    SharedBudget answers,
    SharedBudget streams,
    SharedBudget sessions) {

  static Budgets of(HttpLimits limits) {
    return new Budgets(
        new SharedBudget(limits.requestBytes(), 0),
        new SharedBudget(limits.allBodyBytes(), limits.bodyBytes()),
        new SharedBudget(limits.answerBytes(), limits.bodyBytes()),
        new SharedBudget(limits.streams(), 1),
        new SharedBudget(limits.sessions(), 1));
  }
}
