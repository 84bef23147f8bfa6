package dev.stint.model.document;

import dev.stint.model.document.RawNode.Member;
import dev.stint.model.document.RawNode.RawArray;
import dev.stint.model.document.RawNode.RawObject;
import dev.stint.model.document.RawNode.RawValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads JSON, one value or a sequence of values, and keeps lines and repeated members. */
final class JsonReader {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DocumentLimits.DEPTH)
                  .maxDocumentLength(DocumentLimits.CHARACTERS)
                  .maxStringLength(DocumentLimits.CHARACTERS)
                  .maxNumberLength(400)
                  .build())
          .build();

  /** The maximum length of an exponent, including its sign and letter. */
  private static final int LONGEST_EXPONENT = 6;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final String sourceName;
  private final JsonParser parser;
  private final ValueCount values;

  private JsonReader(String sourceName, JsonParser parser, int most) {
    this.sourceName = sourceName;
    this.parser = parser;
    this.values = new ValueCount(most);
  }

  /** Returns the values of a file. Its length alone limits their number. */
  static List<RawNode> read(String sourceName, byte[] text) {
    return read(sourceName, text, Integer.MAX_VALUE);
  }

  /** Returns the values of a body. */
  static List<RawNode> readBody(String sourceName, byte[] text) {
    return read(sourceName, text, DocumentLimits.BODY_VALUES);
  }

  private static List<RawNode> read(String sourceName, byte[] text, int most) {
    if (!startsInUtf8(text)) {
      throw new DocumentSyntaxException(
          sourceName, 1, 1, "not JSON: it must be UTF-8 without a byte order mark");
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonReader reader = new JsonReader(sourceName, parser, most);
      List<RawNode> documents = new ArrayList<>();
      while (parser.nextToken() != null) {
        documents.add(reader.node());
      }
      return documents;
    } catch (StreamConstraintsException e) {
      throw new DocumentSyntaxException(
          sourceName,
          0,
          0,
          "too large or nested too deeply; at most "
              + DocumentLimits.CHARACTERS
              + " characters and "
              + DocumentLimits.DEPTH
              + " levels");
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw new DocumentSyntaxException(
          sourceName,
          at == null ? 0 : Math.max(0, at.getLineNr()),
          at == null ? 0 : Math.max(0, at.getColumnNr()),
          "not JSON: " + e.getOriginalMessage().lines().findFirst().orElse(""));
    }
  }

  /**
   * True if the first bytes may be UTF-8 without a byte order mark: the parser would accept other
   * encodings, but the API does not.
   */
  private static boolean startsInUtf8(byte[] text) {
    return (text.length == 0 || text[0] >= 0) && (text.length < 2 || text[0] != 0 && text[1] != 0);
  }

  private RawNode node() {
    int line = line();
    count(weight(parser.currentToken()), line);
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(line);
      case START_ARRAY -> array(line);
      case VALUE_STRING -> {
        String text = parser.getString();
        yield new RawValue(line, NODES.stringNode(text), text);
      }
      case VALUE_NUMBER_INT -> new RawValue(line, integer(), parser.getString());
      case VALUE_NUMBER_FLOAT -> {
        String text = parser.getString();
        yield new RawValue(line, decimal(), text, text);
      }
      case VALUE_TRUE -> new RawValue(line, NODES.booleanNode(true), "true");
      case VALUE_FALSE -> new RawValue(line, NODES.booleanNode(false), "false");
      default -> new RawValue(line, NODES.nullNode(), "null");
    };
  }

  private static int weight(JsonToken first) {
    return switch (first) {
      case START_OBJECT -> DocumentLimits.OBJECT;
      case START_ARRAY -> DocumentLimits.LIST;
      default -> 1;
    };
  }

  private void count(int more, int line) {
    if (!values.add(more)) {
      throw new DocumentSyntaxException(sourceName, line, 0, values.fault());
    }
  }

  private JsonNode decimal() {
    String text = parser.getString();
    int exponent = Math.max(text.indexOf('e'), text.indexOf('E'));
    if (exponent >= 0 && text.length() - exponent > LONGEST_EXPONENT) {
      throw new StreamReadException(parser, "the number " + text + " is out of range");
    }
    return NODES.numberNode(new BigDecimal(text));
  }

  private JsonNode integer() {
    return switch (parser.getNumberType()) {
      case INT -> NODES.numberNode(parser.getIntValue());
      case LONG -> NODES.numberNode(parser.getLongValue());
      default -> NODES.numberNode(parser.getBigIntegerValue());
    };
  }

  private RawObject object(int line) {
    List<Member> members = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      int nameLine = line();
      parser.nextToken();
      members.add(new Member(name, nameLine, node()));
    }
    return new RawObject(line, members);
  }

  private RawArray array(int line) {
    List<RawNode> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(node());
    }
    return new RawArray(line, items);
  }

  private int line() {
    return Math.max(0, parser.currentTokenLocation().getLineNr());
  }
}
