package dev.stint.apiextensions.rule.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions of CEL. All forms of one function are collected before they are declared. */
public final class Functions implements CelCompilerLibrary, CelRuntimeLibrary {
  private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
  private final Map<String, List<CelFunctionBinding>> bindings = new LinkedHashMap<>();
  private final Map<CelType, Class<?>> classes = new HashMap<>();

  /** Declares that values of a type are instances of a class. */
  public void type(CelType type, Class<?> instances) {
    classes.put(type, instances);
  }

  /** Adds a method: the first parameter is the value before the dot. */
  public void method(
      String name, CelType result, CelFunctionOverload body, CelType target, CelType... more) {
    List<CelType> parameters = new ArrayList<>(List.of(more));
    String id = id(name, target, parameters);
    declare(name, CelOverloadDecl.newMemberOverload(id, result, with(target, parameters)));
    bind(name, CelFunctionBinding.from(id, classes(with(target, parameters)), body));
  }

  /** Adds a function. */
  public void function(
      String name, CelType result, CelFunctionOverload body, CelType... parameters) {
    List<CelType> all = List.of(parameters);
    String id = id(name, SimpleType.DYN, all);
    declare(name, CelOverloadDecl.newGlobalOverload(id, result, all));
    bind(name, CelFunctionBinding.from(id, classes(all), body));
  }

  /** Adds the body of a form of a function that is declared elsewhere. */
  public void bind(String name, CelFunctionBinding binding) {
    bindings.computeIfAbsent(name, _ -> new ArrayList<>()).add(binding);
  }

  private void declare(String name, CelOverloadDecl form) {
    declarations.computeIfAbsent(name, _ -> new ArrayList<>()).add(form);
  }

  private static List<CelType> with(CelType first, List<CelType> more) {
    List<CelType> all = new ArrayList<>(List.of(first));
    all.addAll(more);
    return all;
  }

  private static String id(String name, CelType target, List<CelType> parameters) {
    StringBuilder id =
        new StringBuilder("kubernetes_").append(target.name()).append('_').append(name);
    for (CelType parameter : with(target, parameters)) {
      id.append('_').append(parameter.name());
      parameter.parameters().forEach(inner -> id.append('_').append(inner.name()));
    }
    return id.toString();
  }

  private List<Class<?>> classes(List<CelType> types) {
    List<Class<?>> found = new ArrayList<>();
    types.forEach(type -> found.add(classes.getOrDefault(type, standard(type.kind()))));
    return found;
  }

  private static Class<?> standard(CelKind kind) {
    return switch (kind) {
      case STRING -> String.class;
      case INT -> Long.class;
      case UINT -> UnsignedLong.class;
      case DOUBLE -> Double.class;
      case BOOL -> Boolean.class;
      case BYTES -> CelByteString.class;
      case DURATION -> Duration.class;
      case TIMESTAMP -> Instant.class;
      case LIST -> List.class;
      case MAP -> Map.class;
      default -> Object.class;
    };
  }

  @Override
  public void setParserOptions(CelParserBuilder parser) {
    parser.addMacros(Macros.all());
  }

  @Override
  public void setCheckerOptions(CelCheckerBuilder checker) {
    declarations.forEach((name, forms) ->
        checker.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(name, forms)));
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder runtime) {
    bindings.forEach((name, forms) -> {
      Map<List<Class<?>>, CelFunctionBinding> distinct = new LinkedHashMap<>();
      forms.forEach(form -> distinct.putIfAbsent(form.getArgTypes(), form));
      List<CelFunctionBinding> others = new ArrayList<>(forms);
      others.removeAll(distinct.values());
      runtime.addFunctionBindings(CelFunctionBinding.fromOverloads(name, distinct.values()));
      runtime.addFunctionBindings(others);
    });
  }
}
