package dev.stint.commandspec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The source of the class that describes one class with flags. */
final class SpecSource implements GeneratedSource {
  static final String MODEL = "picocli.CommandLine.Model.";

  private final TypeElement type;
  private final ProcessingEnvironment environment;
  private final List<String> statements = new ArrayList<>();

  /** The fields that the parser sets, as expressions, each with its type. */
  private final List<Access> accesses = new ArrayList<>();

  /**
   * @param field the field, from the object that is described
   */
  private record Access(String field, TypeMirror type) {}

  SpecSource(TypeElement type, ProcessingEnvironment environment) {
    this.type = type;
    this.environment = environment;
  }

  /** Returns the name of the class that is described. */
  String described() {
    return type.getQualifiedName().toString();
  }

  @Override
  public String qualifiedName() {
    return specOf(type);
  }

  @Override
  public String text() {
    describeSuperclass();
    describeCommand();
    Members.of(type).forEach(this::describe);
    String name = qualifiedName().substring(qualifiedName().lastIndexOf('.') + 1);
    return """
    package %1$s;

    /** The description of {@link %2$s}, from its annotations. */
    @javax.annotation.processing.Generated("%3$s")
    @SuppressWarnings({"unchecked", "cast", "rawtypes"})
    %4$sfinal class %5$s {
      private %5$s() {}

      /** Returns the description of an object, whose fields the parser will set. */
      public static %6$sCommandSpec of(%2$s object) {
        %6$sCommandSpec spec = %6$sCommandSpec.wrapWithoutInspection(object);
        addTo(spec, object, spec);
        return spec;
      }

      /** Adds what the class declares to the description of an object of it or of a subclass. */
      public static void addTo(%6$sCommandSpec spec, %2$s object, %6$sCommandSpec mixee) {
    %7$s
      }
    %8$s}
    """
        .formatted(
            environment.getElementUtils().getPackageOf(type).getQualifiedName(),
            type.getQualifiedName(),
            CommandSpecProcessor.class.getName(),
            isPublic() ? "public " : "",
            name,
            MODEL,
            statements.stream().map(each -> "    " + each).collect(Collectors.joining("\n")),
            accesses.isEmpty() ? "" : field());
  }

  boolean isPublic() {
    for (Element each = type; each instanceof TypeElement; each = each.getEnclosingElement()) {
      if (!each.getModifiers().contains(Modifier.PUBLIC)) {
        return false;
      }
    }
    return true;
  }

  boolean isIn(String name) {
    return environment.getElementUtils().getPackageOf(type).getQualifiedName().contentEquals(name);
  }

  /** Returns the name of the class that describes a class. */
  private String specOf(TypeElement described) {
    String inside =
        environment.getElementUtils().getPackageOf(described).getQualifiedName().toString();
    String name = described.getQualifiedName().toString().substring(inside.length() + 1);
    return inside + "." + name.replace(".", "") + "Spec";
  }

  private void describeSuperclass() {
    if (type.getSuperclass() instanceof DeclaredType superclass
        && superclass.asElement() instanceof TypeElement above
        && Members.isDescribed(above)) {
      statements.add(specOf(above) + ".addTo(spec, object, mixee);");
    }
  }

  private void describeCommand() {
    Members.attributes(type, Command.class)
        .forEach((name, value) ->
            statements.add(
                switch (name) {
                  case "name", "aliases" -> "spec." + call(name, value) + ";";
                  case "description", "footer", "synopsisSubcommandLabel", "hidden" ->
                      "spec.usageMessage()." + call(name, value) + ";";
                  case "versionProvider" -> "spec.versionProvider(new " + value.getValue() + "());";
                  default -> throw unsupported(type, name);
                }));
  }

  private void describe(VariableElement field) {
    String own = "object." + field.getSimpleName();
    if (Members.has(field, Spec.class)) {
      boolean isMixee = Members.attributes(field, Spec.class).containsKey("value");
      statements.add(own + " = " + (isMixee ? "mixee" : "spec") + ";");
    } else if (Members.has(field, Mixin.class)) {
      describeMixin(field, own);
    } else if (Members.has(field, ArgGroup.class)) {
      describeGroup(field, own);
    } else {
      statements.add("spec.add(" + argument(field, own) + ");");
    }
  }

  private void describeMixin(VariableElement field, String own) {
    String mixin = field.getSimpleName() + "Spec";
    statements.add(
        "%1$sCommandSpec %2$s = %1$sCommandSpec.wrapWithoutInspection(%3$s);"
            .formatted(MODEL, mixin, own));
    statements.add("%s.addTo(%s, %s, spec);".formatted(specOf(Members.typeOf(field)), mixin, own));
    statements.add("spec.addMixin(\"%s\", %s);".formatted(field.getSimpleName(), mixin));
  }

  private void describeGroup(VariableElement field, String own) {
    StringBuilder group = new StringBuilder("spec.addArgGroup(" + MODEL + "ArgGroupSpec.builder()");
    Members.attributes(field, ArgGroup.class)
        .forEach((name, value) -> {
          if (!name.equals("exclusive") && !name.equals("multiplicity")) {
            throw unsupported(field, name);
          }
          group.append(".").append(call(name, value));
        });
    for (VariableElement member : Members.of(Members.typeOf(field))) {
      group
          .append(".addArg(")
          .append(argument(member, own + "." + member.getSimpleName()))
          .append(")");
    }
    statements.add(group + ".build());");
  }

  /** Returns an expression for the description of one option or positional parameter. */
  private String argument(VariableElement field, String own) {
    StringBuilder text = new StringBuilder(MODEL);
    Map<String, AnnotationValue> attributes;
    if (Members.has(field, Option.class)) {
      attributes = Members.attributes(field, Option.class);
      text.append("OptionSpec.builder(%s)".formatted(names(attributes)));
    } else {
      attributes = Members.attributes(field, Parameters.class);
      text.append("PositionalParamSpec.builder().required(%s)".formatted(isRequired(attributes)));
    }
    attributes.forEach((name, value) -> {
      if (!name.equals("names")) {
        text.append(".").append(attribute(field, name, value));
      }
    });
    if (!attributes.containsKey("paramLabel")) {
      text.append(".paramLabel(\"<%s>\")".formatted(field.getSimpleName()));
    }
    text.append(types(field.asType()));
    String access = "new Field(object, " + accesses.size() + ")";
    accesses.add(new Access(own, field.asType()));
    return text + ".initialValue(%s).getter(%s).setter(%s).build()".formatted(own, access, access);
  }

  private static boolean isRequired(Map<String, AnnotationValue> attributes) {
    AnnotationValue arity = attributes.get("arity");
    return arity == null || !String.valueOf(arity.getValue()).startsWith("0");
  }

  private static String attribute(VariableElement field, String name, AnnotationValue value) {
    return switch (name) {
      case "paramLabel",
          "description",
          "arity",
          "index",
          "required",
          "hidden",
          "defaultValue",
          "fallbackValue",
          "negatable",
          "usageHelp",
          "versionHelp",
          "interactive" ->
          call(name, value);
      case "split" -> "splitRegex(" + value + ")";
      case "scope" -> "scopeType(picocli.CommandLine.ScopeType." + value.getValue() + ")";
      case "converter" -> "converters(" + instances(value) + ")";
      case "completionCandidates" -> "completionCandidates(new " + value.getValue() + "())";
      default -> throw unsupported(field, name);
    };
  }

  static UnsupportedElementException unsupported(Element element, String attribute) {
    return new UnsupportedElementException(
        element, attribute + " is not supported yet; add it to " + SpecSource.class.getName());
  }

  private static String call(String method, AnnotationValue value) {
    return method + "(" + listed(value) + ")";
  }

  private static String names(Map<String, AnnotationValue> attributes) {
    return listed(Objects.requireNonNull(attributes.get("names")));
  }

  /** Returns the elements of an array, or a single value, as arguments. */
  private static String listed(AnnotationValue value) {
    return value.getValue() instanceof List<?> values
        ? values.stream().map(String::valueOf).collect(Collectors.joining(", "))
        : value.toString();
  }

  private static String instances(AnnotationValue classes) {
    List<?> all = classes.getValue() instanceof List<?> values ? values : List.of(classes);
    return all.stream()
        .map(each -> "new " + ((AnnotationValue) each).getValue() + "()")
        .collect(Collectors.joining(", "));
  }

  private String types(TypeMirror declared) {
    String text = ".type(" + erased(declared) + ".class)";
    if (declared instanceof DeclaredType generic && !generic.getTypeArguments().isEmpty()) {
      text +=
          generic.getTypeArguments().stream()
              .map(each -> erased(each) + ".class")
              .collect(Collectors.joining(", ", ".auxiliaryTypes(", ")"));
    }
    return text;
  }

  /** Returns the name of a type without its arguments and annotations. */
  private String erased(TypeMirror declared) {
    return declared instanceof DeclaredType known && known.asElement() instanceof TypeElement named
        ? named.getQualifiedName().toString()
        : environment.getTypeUtils().stripAnnotations(declared).toString();
  }

  /** Returns the class that reads and writes the fields. */
  private String field() {
    StringBuilder reads = new StringBuilder();
    StringBuilder writes = new StringBuilder();
    for (int number = 0; number < accesses.size(); number++) {
      Access access = accesses.get(number);
      reads.append("        case %d -> %s;\n".formatted(number, access.field()));
      writes.append(
          "        case %d -> %s = (%s) value;\n"
              .formatted(number, access.field(), erased(access.type())));
    }
    return """

      private record Field(%1$s object, int number)
          implements %2$sIGetter, %2$sISetter {
        @Override
        public <T> T get() {
          return (T) read();
        }

        @Override
        public <T> T set(T value) {
          Object before = read();
          write(value);
          return (T) before;
        }

        private Object read() {
          return switch (number) {
    %3$s        default -> throw new IllegalStateException();
          };
        }

        private void write(Object value) {
          switch (number) {
    %4$s        default -> throw new IllegalStateException();
          }
        }
      }
    """
        .formatted(type.getQualifiedName(), MODEL, reads, writes);
  }
}
