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
 * @param since since when it is this cluster; null if it never answered
 * @param freePods the number of pods that it has room for, compared with other workers
 * @param isUsable true if it answers and lets the mirror in
 * @param silentSince since when it does not answer; null if it does, even if only to refuse
 */
record WorkerState(
    String name,
    Predicate<Map<String, String>> selector,
    @Nullable String cluster,
    @Nullable Instant since,
    long freePods,
    boolean isUsable,
    @Nullable Instant silentSince) {}
