package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cli.output.Console;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Compares the generated descriptions of commands with those that picocli finds by reflection. */
class CommandSpecsTest {
  @TestFactory
  Stream<DynamicTest> generatedDescriptionsSayWhatTheAnnotationsSay() {
    CommandLine all = new StintCommand(Console.ofProcess()).all();
    return Stream.concat(Stream.of(all), all.getSubcommands().values().stream())
        .map(CommandLine::getCommandSpec)
        .map(generated ->
            DynamicTest.dynamicTest(
                generated.name(),
                () ->
                    assertThat(said(CommandSpecs.of(generated.userObject())))
                        .isEqualTo(said(CommandSpec.forAnnotatedObject(generated.userObject())))));
  }

  private static Map<String, Object> said(CommandSpec spec) {
    Map<String, Object> said = new TreeMap<>();
    said.put("name", spec.name());
    said.put("aliases", List.of(spec.aliases()));
    said.put("help", new CommandLine(spec).getUsageMessage());
    said.put("version provider", String.valueOf(spec.versionProvider()).replaceAll("@.*", ""));
    said.put("mixins", List.copyOf(spec.mixins().keySet()));
    for (ArgSpec arg : spec.args()) {
      said.put(nameOf(arg), said(arg));
    }
    for (ArgGroupSpec group : spec.argGroups()) {
      said.put(
          "group " + group.args().stream().map(CommandSpecsTest::nameOf).toList(),
          List.of(group.exclusive(), group.multiplicity()));
    }
    return said;
  }

  private static String nameOf(ArgSpec arg) {
    return arg instanceof OptionSpec option
        ? option.longestName()
        : ((PositionalParamSpec) arg).paramLabel();
  }

  private static List<String> said(ArgSpec arg) {
    return Stream.of(
            arg.arity(),
            List.of(arg.description()),
            arg.paramLabel(),
            arg.required(),
            arg.hidden(),
            arg.hideParamSyntax(),
            arg.type(),
            List.of(arg.auxiliaryTypes()),
            Arrays.stream(arg.converters()).map(Object::getClass).toList(),
            arg.splitRegex(),
            arg.defaultValue(),
            arg.initialValue(),
            arg.getValue(),
            arg.hasInitialValue(),
            arg.scopeType(),
            arg.inherited(),
            arg.interactive(),
            arg.completionCandidates() == null ? "" : candidates(arg),
            arg instanceof OptionSpec option ? ofOption(option) : "",
            arg instanceof PositionalParamSpec positional ? positional.index() : "")
        .map(String::valueOf)
        .toList();
  }

  private static List<String> candidates(ArgSpec arg) {
    return java.util.stream.StreamSupport.stream(arg.completionCandidates().spliterator(), false)
        .toList();
  }

  private static List<Object> ofOption(OptionSpec option) {
    return List.of(
        List.of(option.names()),
        option.usageHelp(),
        option.versionHelp(),
        option.negatable(),
        String.valueOf(option.fallbackValue()),
        option.order());
  }
}
