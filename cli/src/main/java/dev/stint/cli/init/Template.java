package dev.stint.cli.init;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The Job files to start from. */
enum Template {
  PLAIN,
  INDEXED,
  RETRIES,
  SUCCESS_POLICY,
  GPU;

  private static final Pattern LABEL =
      Pattern.compile("([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)\\.ya?ml");

  /** Returns its name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the text for a file.
   *
   * @param file as the user names it; its name is that of the Job, if it can be
   */
  String text(String file) {
    String base = file.substring(file.lastIndexOf('/') + 1);
    Matcher label = LABEL.matcher(base);
    String shown = file.equals("-") ? "job.yaml" : file;
    return resource()
        .replace("JOB_FILE", shown.contains("\n") ? "job.yaml" : shown)
        .replace("JOB_NAME", label.matches() ? label.group(1) : "job");
  }

  static List<String> names() {
    return Arrays.stream(values()).map(Template::toString).toList();
  }

  /** Reads the names. */
  static final class Converter implements ITypeConverter<Template> {
    @Override
    public Template convert(String text) {
      return Arrays.stream(values())
          .filter(each -> each.toString().equals(text))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  "\"" + text + "\" is not a template; use one of " + Arrays.asList(values())));
    }
  }

  /** The names, for completion. */
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Names() {
      super(names());
    }
  }

  private String resource() {
    String name = this + ".yaml";
    try (InputStream in = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
