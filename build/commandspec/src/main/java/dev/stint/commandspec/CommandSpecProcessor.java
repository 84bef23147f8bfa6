package dev.stint.commandspec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.annotation.Annotation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Unmatched;

/**
 * Writes a class {@code FooSpec} for each class {@code Foo} that has flags. Its method {@code of}
 * returns what picocli would find by reflection, which takes a tenth of a second of each start.
 */
public final class CommandSpecProcessor extends AbstractProcessor {
  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latest();
  }

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of("picocli.CommandLine.*");
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    try {
      refuseUnsupported(round);
      Set<TypeElement> described = described(round);
      for (TypeElement type : described) {
        write(new SpecSource(type, processingEnv));
      }
      if (!described.isEmpty()) {
        write(new DirectorySource(described, processingEnv));
      }
    } catch (UnsupportedElementException unsupported) {
      processingEnv
          .getMessager()
          .printMessage(Diagnostic.Kind.ERROR, unsupported.getMessage(), unsupported.element());
    }
    return false;
  }

  private static void refuseUnsupported(RoundEnvironment round) {
    for (Class<? extends Annotation> kind : List.of(Unmatched.class, ParentCommand.class)) {
      for (Element element : round.getElementsAnnotatedWith(kind)) {
        throw SpecSource.unsupported(element, "@" + kind.getSimpleName());
      }
    }
    for (Class<? extends Annotation> kind : Members.ANNOTATIONS) {
      for (Element element : round.getElementsAnnotatedWith(kind)) {
        if (element.getKind() != ElementKind.FIELD) {
          throw new UnsupportedElementException(
              element, "the parser sets fields only: make " + element + " one");
        }
      }
    }
  }

  /** Returns the classes to describe. Those of groups are described with the class around them. */
  private static Set<TypeElement> described(RoundEnvironment round) {
    Set<TypeElement> described = new LinkedHashSet<>();
    for (Element command : round.getElementsAnnotatedWith(Command.class)) {
      described.add((TypeElement) command);
    }
    for (Class<? extends Annotation> kind : Members.ANNOTATIONS) {
      for (Element field : round.getElementsAnnotatedWith(kind)) {
        described.add((TypeElement) field.getEnclosingElement());
      }
    }
    for (Element group : round.getElementsAnnotatedWith(ArgGroup.class)) {
      described.remove(Members.typeOf(group));
    }
    return described;
  }

  private void write(GeneratedSource source) {
    String text = source.text();
    try (Writer file =
        processingEnv.getFiler().createSourceFile(source.qualifiedName()).openWriter()) {
      file.write(text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
