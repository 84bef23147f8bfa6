package dev.stint.cli.config;

import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A configuration file: values of flags by the names of commands, and {@value #ALL} for every
 * command that has the flag.
 */
final class ConfigFile {
  /** The section for all commands. */
  static final String ALL = "all";

  private static final long MOST_BYTES = 1 << 20;

  private final Path path;
  private final Level level;
  private final Documents.Plain document;

  private ConfigFile(Path path, Level level, Documents.Plain document) {
    this.path = path;
    this.level = level;
    this.document = document;
  }

  /**
   * Reads a file; returns nothing if it does not exist.
   *
   * @throws UserException if it is not safe, cannot be read, or is not YAML
   */
  static Optional<ConfigFile> read(Path path, Level level) {
    try {
      if (isAbsent(path)) {
        return Optional.empty();
      }
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      if (!attributes.isRegularFile() || attributes.size() > MOST_BYTES) {
        throw new UserException(path + ": is not a file of at most 1Mi; remove it");
      }
      FileTrust.check(path);
      return Optional.of(parse(path, level, Files.readAllBytes(path)));
    } catch (IOException fault) {
      throw new UserException(
          path
              + ": cannot be read; make it and its directories readable, or use another one with "
              + Configuration.VARIABLE);
    }
  }

  /**
   * True if there is certainly no such file. In a directory that cannot be entered, there may be
   * one.
   */
  static boolean isAbsent(Path path) {
    return Files.notExists(path)
        || Stream.iterate(path.getParent(), Objects::nonNull, Path::getParent)
            .filter(Files::exists)
            .findFirst()
            .filter(nearest -> !Files.isDirectory(nearest))
            .isPresent();
  }

  private static ConfigFile parse(Path path, Level level, byte[] text) {
    try {
      return new ConfigFile(path, level, Documents.readPlain(path.toString(), text));
    } catch (DocumentSyntaxException fault) {
      throw new UserException(String.valueOf(fault.getMessage()));
    }
  }

  Path path() {
    return path;
  }

  Level level() {
    return level;
  }

  /** Returns the names of its sections: commands, and {@value #ALL}. */
  Collection<String> sections() {
    return document.tree().propertyNames();
  }

  /** Returns the keys of a section. */
  Collection<String> keys(String section) {
    return document.tree().path(section).propertyNames();
  }

  /** Returns the value of a flag for a command, if the file has one. */
  Optional<Setting> setting(String command, Collection<String> flags) {
    for (String section : List.of(command, ALL)) {
      for (String flag : flags) {
        JsonNode value = document.tree().path(section).get(flag);
        if (value != null && problem(value) == null) {
          return Optional.of(new Setting(values(value), level, place(section + "." + flag)));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns a fault in one line: file, line, key path, problem. */
  String describe(String key, String problem) {
    return path + ":" + document.lines().of(key) + ": " + key + ": " + problem;
  }

  private String place(String key) {
    return path + ":" + document.lines().of(key) + " (" + key + ")";
  }

  /** Returns a list as its items, a map as NAME=VALUE, anything else as its text. */
  private static List<String> values(JsonNode value) {
    if (value.isArray()) {
      return value.valueStream().map(JsonNode::asString).toList();
    }
    return value.isObject()
        ? value.properties().stream()
            .map(each -> each.getKey() + "=" + each.getValue().asString())
            .toList()
        : List.of(value.asString());
  }

  /** Returns what is wrong with its form. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    document
        .faults()
        .forEach(fault -> faults.add(describe(fault.path(), "is repeated; remove one of them")));
    for (String section : sections()) {
      JsonNode flags = document.tree().path(section);
      if (!flags.isObject() && !flags.isNull()) {
        faults.add(describe(section, "must be a map of flags, such as {max-pods: 8}"));
      }
      for (String flag : keys(section)) {
        String problem = problem(flags.path(flag));
        if (problem != null) {
          faults.add(describe(section + "." + flag, problem));
        }
      }
    }
    return faults;
  }

  private static @Nullable String problem(JsonNode value) {
    if (value.isNull()) {
      return "has no value; set it, or remove the key";
    }
    Stream<JsonNode> parts = value.isContainer() ? value.valueStream() : Stream.of(value);
    return parts.allMatch(part -> part.isValueNode() && !part.isNull())
        ? null
        : "must be a value, a list of values or a map of values";
  }

  /** Throws all faults at once, if there are any. */
  static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, faults);
    }
  }
}
