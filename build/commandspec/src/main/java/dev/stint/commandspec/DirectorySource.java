package dev.stint.commandspec;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.TypeElement;
import picocli.CommandLine.Command;

/**
 * The source of the class {@code CommandSpecs}, which describes any command. It is in the package
 * that is above those of the commands.
 */
final class DirectorySource implements GeneratedSource {
  private final List<SpecSource> commands;
  private final String parent;

  /** Lists the commands of {@code types} that the class sees. */
  DirectorySource(Collection<TypeElement> types, ProcessingEnvironment environment) {
    parent =
        types.stream()
            .map(type ->
                environment.getElementUtils().getPackageOf(type).getQualifiedName().toString())
            .min(Comparator.comparingInt(String::length))
            .orElseThrow();
    commands =
        types.stream()
            .filter(type -> Members.has(type, Command.class))
            .map(type -> new SpecSource(type, environment))
            .filter(source -> source.isPublic() || source.isIn(parent))
            .toList();
  }

  @Override
  public String qualifiedName() {
    return parent + ".CommandSpecs";
  }

  /** Returns a switch by name, which loads no class but that of the command. */
  @Override
  public String text() {
    return """
    package %1$s;

    /** The descriptions of all commands, from their annotations. */
    @javax.annotation.processing.Generated("%2$s")
    public final class CommandSpecs {
      private CommandSpecs() {}

      /** Returns the description of a command, whose fields the parser will set. */
      public static %3$sCommandSpec of(Object command) {
        return switch (command.getClass().getName()) {
    %4$s
          default -> throw new IllegalArgumentException(command.getClass() + " is no command");
        };
      }
    }
    """
        .formatted(
            parent,
            CommandSpecProcessor.class.getName(),
            SpecSource.MODEL,
            commands.stream()
                .map(each ->
                    "      case \"%1$s\" -> %2$s.of((%1$s) command);"
                        .formatted(each.described(), each.qualifiedName()))
                .collect(Collectors.joining("\n")));
  }
}
