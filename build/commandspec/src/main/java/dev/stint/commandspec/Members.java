package dev.stint.commandspec;

import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.util.ElementFilter;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The annotations of a class and its fields. */
final class Members {
  static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(Option.class, Parameters.class, Mixin.class, Spec.class, ArgGroup.class);

  private Members() {}

  /**
   * Returns the fields with annotations of the parser, in their order.
   *
   * @throws UnsupportedElementException if one of them is private
   */
  static List<VariableElement> of(TypeElement type) {
    List<VariableElement> fields =
        ElementFilter.fieldsIn(type.getEnclosedElements()).stream()
            .filter(field -> ANNOTATIONS.stream().anyMatch(kind -> has(field, kind)))
            .toList();
    for (VariableElement field : fields) {
      if (field.getModifiers().contains(Modifier.PRIVATE)) {
        throw new UnsupportedElementException(
            field, "the parser sets " + field + ": remove private");
      }
    }
    return fields;
  }

  static boolean isDescribed(TypeElement type) {
    return has(type, Command.class) || !of(type).isEmpty();
  }

  static boolean has(Element element, Class<? extends Annotation> annotation) {
    return mirror(element, annotation).isPresent();
  }

  /** Returns the attributes that an annotation sets, by name. */
  static Map<String, AnnotationValue> attributes(
      Element element, Class<? extends Annotation> annotation) {
    Map<String, AnnotationValue> attributes = new LinkedHashMap<>();
    mirror(element, annotation)
        .ifPresent(mirror ->
            mirror
                .getElementValues()
                .forEach((name, value) -> attributes.put(name.getSimpleName().toString(), value)));
    return attributes;
  }

  /** Returns the class that is the type of a field. */
  static TypeElement typeOf(Element field) {
    return (TypeElement) ((DeclaredType) field.asType()).asElement();
  }

  private static Optional<? extends AnnotationMirror> mirror(
      Element element, Class<? extends Annotation> annotation) {
    return element.getAnnotationMirrors().stream()
        .filter(mirror ->
            ((TypeElement) mirror.getAnnotationType().asElement())
                .getQualifiedName()
                .contentEquals(annotation.getCanonicalName()))
        .findFirst();
  }
}
