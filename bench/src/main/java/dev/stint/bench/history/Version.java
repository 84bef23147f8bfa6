package dev.stint.bench.history;

/** A version of an object, as an answer or an event showed it. */
public record Version(String key, String uid, long revision, Content content) {}
