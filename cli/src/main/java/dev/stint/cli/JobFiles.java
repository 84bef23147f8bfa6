package dev.stint.cli;

import dev.stint.model.FeatureGates;
import dev.stint.model.document.Document;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The files that commands are given: read, decoded, and checked. */
final class JobFiles {
  private static final String STANDARD_INPUT = "-";

  private JobFiles() {}

  /**
   * The documents of one file, at least one.
   *
   * @param file its path; {@code -} is standard input
   * @throws UserException where it cannot be read, is neither YAML nor JSON, or holds no documents
   */
  static List<Document> read(String file, Console console) {
    String name = file.equals(STANDARD_INPUT) ? "standard input" : file;
    try {
      byte[] bytes = bytes(file, console);
      if (bytes.length == 0) {
        throw new UserException(name + ": is empty; it should hold a Job");
      }
      List<Document> documents = Documents.read(name, bytes);
      if (documents.isEmpty()) {
        throw new UserException(name + ": holds no documents; it should hold a Job");
      }
      return documents;
    } catch (DocumentSyntaxException fault) {
      throw new UserException(String.valueOf(fault.getMessage()));
    } catch (AccessDeniedException denied) {
      throw new UserException(name + ": may not be read; see its permissions");
    } catch (IOException | InvalidPathException fault) {
      throw new UserException(name + ": cannot be read: " + fault.getMessage());
    }
  }

  /**
   * Everything that is wrong with a document; where it cannot be decoded, only what keeps it so.
   */
  static List<FieldError> faults(Document document, FeatureGates gates) {
    return document.faults();
  }

  private static byte[] bytes(String file, Console console) throws IOException {
    if (file.equals(STANDARD_INPUT)) {
      return console.in().readAllBytes();
    }
    Path path = Path.of(file);
    if (!Files.exists(path)) {
      throw new UserException(file + ": no such file");
    }
    if (Files.isDirectory(path)) {
      throw new UserException(file + ": is a directory; name the files in it");
    }
    return Files.readAllBytes(path);
  }
}
