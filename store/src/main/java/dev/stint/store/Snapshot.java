package dev.stint.store;

import java.util.List;

/** Entries under a prefix, in key order, all as of one revision. */
public record Snapshot(List<Entry> entries, long revision) {}
