/** What any bytes at all do to documents and admission. */
@org.jspecify.annotations.NullMarked
package dev.stint.model.fuzz;
