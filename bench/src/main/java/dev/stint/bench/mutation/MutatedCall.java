package dev.stint.bench.mutation;

/**
 * A request that a mutation has changed.
 *
 * @param index with the seed of the mutator, it reproduces the request
 */
public record MutatedCall(long index, MutationKind kind, HttpCall call) {}
