package dev.stint.store;

/**
 * A key and its value as of one revision.
 *
 * @param value not to be changed
 * @param createRevision the revision at which the key last came to be
 * @param revision the revision of this value
 */
@SuppressWarnings(
    "ArrayRecordComponent") // shared on purpose: values are written once and never compared
public record Entry(String key, byte[] value, long createRevision, long revision) {}
