/** Fuzzing of documents and admission with arbitrary bytes. */
@org.jspecify.annotations.NullMarked
package dev.stint.model.fuzz;
