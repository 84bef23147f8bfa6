package dev.stint.bench.history;

import java.util.List;

/**
 * An object that carries out one operation at a time.
 *
 * @param <S> its state, a value
 * @param <O> an operation with its outcome
 */
interface SequentialModel<S, O> {
  S initial();

  /** Returns the states that the operation may lead to; none if it cannot have this outcome. */
  List<S> next(S state, O operation);
}
