package dev.stint.testkit.document;

/**
 * A file of a test.
 *
 * @param name in messages
 */
public record FoundFile(String name, String text) {}
