package dev.stint.controllers.mirror;

import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The known state of a worker when a Job is assigned.
 *
 * @param selector true for the labels of Jobs that it takes
 * @param cluster which cluster it is, by the uid of its {@code kube-system}; null if it never
 *     answered
 * @param freePods the number of pods that it has room for, compared with other workers
 * @param awaySince since when it cannot be used; null if it can
 */
record WorkerState(
    String name,
    Predicate<Map<String, String>> selector,
    @Nullable String cluster,
    long freePods,
    @Nullable Instant awaySince) {}
