package dev.stint.covers;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the requirements (IDs of {@code conformance/requirements.tsv}) that a test shows to hold.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Covers {
  /** Requirement IDs, such as {@code "SP-12"}. */
  String[] value();
}
