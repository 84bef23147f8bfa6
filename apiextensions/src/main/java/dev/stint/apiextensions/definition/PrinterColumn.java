package dev.stint.apiextensions.definition;

/** A column of tables. */
public record PrinterColumn(
    String name, String type, String format, String description, long priority, String jsonPath) {}
