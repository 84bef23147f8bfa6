package dev.stint.bench.history;

import java.util.List;

/**
 * The answer to a list, or to all pages of one.
 *
 * @param call the time before the first page was asked for
 * @param end the time after the first page came
 * @param revision the one that the list names as its own
 * @param isCurrent false if the client asked for the objects at an earlier revision
 */
public record Listing(
    int client, long call, long end, long revision, List<Version> items, boolean isCurrent) {}
