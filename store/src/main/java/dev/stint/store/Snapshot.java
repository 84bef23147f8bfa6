package dev.stint.store;

import java.util.List;

/** The entries under a prefix, in key order, all at one revision. */
public record Snapshot(List<Entry> entries, long revision) {}
