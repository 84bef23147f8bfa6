package dev.stint.model.document;

import dev.stint.model.document.RawNode.Member;
import dev.stint.model.document.RawNode.RawArray;
import dev.stint.model.document.RawNode.RawObject;
import dev.stint.model.document.RawNode.RawValue;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.Trail;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML as kubectl and the API do: several documents, anchors, merge keys, YAML 1.1 booleans.
 *
 * <p>It is built on events, not on the library's nodes, so that depth and aliases are bounded while
 * reading.
 */
final class YamlReader {
  private static final String MERGE_KEY = "<<";

  private final String sourceName;
  private final Iterator<Event> events;
  private final @Nullable FieldErrors repeated;
  private final ValueCount values;

  /** The characters of a text that contains an escaped slash, which few texts do; else null. */
  private final int @Nullable [] slashes;

  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private int depth;

  /** The greatest depth inside the node that is being read. */
  private int deepest;

  private int repeats;

  /** An anchored node, with the number of its values and its levels when expanded. */
  private record Anchored(RawNode node, int values, int height) {}

  private YamlReader(
      String sourceName,
      String text,
      Iterator<Event> events,
      int most,
      @Nullable FieldErrors repeated) {
    this.sourceName = sourceName;
    this.events = events;
    this.values = new ValueCount(most);
    this.repeated = repeated;
    this.slashes = text.contains("\\/") ? text.codePoints().toArray() : null;
  }

  /** Returns the documents of a file, empty ones included. */
  static List<RawNode> read(String sourceName, byte[] text) {
    return read(sourceName, text, DocumentLimits.FILE_VALUES, null, YamlReader::documents);
  }

  /**
   * Returns the first document of a body, as the API reads it; null if there is none.
   *
   * @param repeated collects repeated keys; the last one counts
   */
  static @Nullable RawNode readFirst(String sourceName, byte[] text, FieldErrors repeated) {
    return read(sourceName, text, DocumentLimits.BODY_VALUES, repeated, YamlReader::first);
  }

  private static <T extends @Nullable Object> T read(
      String sourceName,
      byte[] text,
      int most,
      @Nullable FieldErrors repeated,
      Function<YamlReader, T> reading) {
    String decoded = YamlEncoding.decoded(sourceName, text);
    try {
      Iterator<Event> events =
          new Parse(settings(decoded)).parseReader(new StringReader(decoded)).iterator();
      return reading.apply(new YamlReader(sourceName, decoded, events, most, repeated));
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark();
      throw new DocumentSyntaxException(
          sourceName,
          mark.map(m -> m.getLine() + 1).orElse(0),
          mark.map(m -> m.getColumn() + 1).orElse(0),
          "not YAML: " + oneLine(e.getProblem()) + hint(e.getProblem()));
    } catch (YamlEngineException | IndexOutOfBoundsException | IllegalStateException e) {
      throw new DocumentSyntaxException(
          sourceName, 0, 0, "not YAML: " + oneLine(String.valueOf(e.getMessage())));
    }
  }

  /**
   * Returns settings with a buffer for the whole text. With a smaller one, the parser copies the
   * beginning of a long scalar each time that it fills the buffer, which takes quadratic time.
   */
  static LoadSettings settings(String text) {
    return LoadSettings.builder()
        .setCodePointLimit(DocumentLimits.CHARACTERS)
        .setBufferSize(Math.min(text.length(), DocumentLimits.CHARACTERS) + 2)
        .build();
  }

  /** Returns a hint at the likely cause of a fault that the parser describes in its own terms. */
  private static String hint(String problem) {
    if (problem.contains("<block") || problem.contains("not allowed here")) {
      return "; check that the line is indented like its neighbors";
    }
    return problem.contains("\\t") ? "; indent with spaces, not with tabs" : "";
  }

  private List<RawNode> documents() {
    List<RawNode> documents = new ArrayList<>();
    while (events.hasNext()) {
      if (events.next() instanceof DocumentStartEvent) {
        anchors.clear();
        documents.add(node(events.next()));
      }
    }
    return documents;
  }

  private @Nullable RawNode first() {
    while (events.hasNext()) {
      if (events.next() instanceof DocumentStartEvent) {
        return node(events.next());
      }
    }
    return null;
  }

  private RawNode node(Event event) {
    int before = values.found();
    int deepestBefore = deepest;
    deepest = depth;
    RawNode node =
        switch (event) {
          case AliasEvent alias -> alias(alias);
          case ScalarEvent scalar -> scalar(scalar);
          case CollectionStartEvent start -> collection(start);
          default -> throw fault(event, "unexpected " + event);
        };
    if (!(event instanceof AliasEvent) && event instanceof NodeEvent named) {
      Anchored anchored = new Anchored(node, values.found() - before, deepest - depth);
      named.getAnchor().ifPresent(anchor -> anchors.put(anchor, anchored));
    }
    deepest = Math.max(deepest, deepestBefore);
    return node;
  }

  private RawNode alias(AliasEvent event) {
    Anchored found = anchors.get(event.getAlias());
    if (found == null) {
      throw fault(event, "no anchor &" + event.getAlias() + " before this alias");
    }
    count(event, found.values);
    reach(event, depth + found.height);
    return found.node;
  }

  private RawValue scalar(ScalarEvent event) {
    count(event, 1);
    boolean plain = event.getScalarStyle() == ScalarStyle.PLAIN;
    if (event.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED && hasEscapedSlash(event)) {
      throw fault(event, "not YAML: unknown escape \\/ in quotes");
    }
    String tag = event.getTag().orElse(plain ? "" : YamlScalars.STRING_TAG);
    return YamlScalars.resolve(line(event), tag, event.getValue())
        .orElseThrow(() ->
            fault(event, "tag " + tag + " does not fit \"" + oneLine(event.getValue()) + "\""));
  }

  /** True for an escaped slash, which YAML 1.1 lacks, unlike JSON and YAML 1.2. */
  private boolean hasEscapedSlash(ScalarEvent event) {
    int @Nullable [] text = slashes;
    if (text == null) {
      return false;
    }
    int from = event.getStartMark().map(Mark::getIndex).orElse(0);
    int to = Math.min(event.getEndMark().map(Mark::getIndex).orElse(0), text.length);
    for (int i = from; i + 1 < to; i++) {
      if (text[i] == '\\') {
        if (text[i + 1] == '/') {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private RawNode collection(CollectionStartEvent start) {
    boolean isObject = start instanceof MappingStartEvent;
    count(start, isObject ? DocumentLimits.OBJECT : DocumentLimits.LIST);
    reach(start, ++depth);
    RawNode node = isObject ? mapping(start) : sequence(start);
    depth--;
    return node;
  }

  private void count(Event event, int more) {
    if (!values.add(more)) {
      throw fault(event, values.fault());
    }
  }

  /** Notes that there is a node of that depth, with every alias written out. */
  private void reach(Event event, int level) {
    if (level > DocumentLimits.DEPTH) {
      throw fault(event, "nested too deeply; at most " + DocumentLimits.DEPTH + " levels");
    }
    deepest = Math.max(deepest, level);
  }

  private RawArray sequence(CollectionStartEvent start) {
    List<RawNode> items = new ArrayList<>();
    Event event = events.next();
    while (!(event instanceof SequenceEndEvent)) {
      items.add(value(event));
      event = events.next();
    }
    return new RawArray(line(start), items);
  }

  private RawObject mapping(CollectionStartEvent start) {
    Members members = new Members();
    Event event = events.next();
    while (!(event instanceof MappingEndEvent)) {
      boolean merge = isMergeKey(event);
      RawNode name = node(event);
      RawNode value = value(events.next());
      if (merge) {
        mergeable(event, value).forEach(members::merge);
      } else {
        members.add(new Member(memberName(event, name), line(event), value));
      }
      event = events.next();
    }
    return new RawObject(line(start), members.list());
  }

  /** Reads a value that JSON can express. */
  private RawNode value(Event event) {
    RawNode node = node(event);
    if (node instanceof RawValue value && YamlScalars.isUnsayable(value.value())) {
      throw fault(
          event,
          value.text() + " has no equivalent in JSON; put it in quotes if it is meant as text");
    }
    return node;
  }

  /**
   * Collects the members of one map; a later one replaces an earlier one. For a file it keeps
   * repeated members of the map itself, so that they can be reported.
   */
  private final class Members {
    private final List<Member> all = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final Set<String> merged = new HashSet<>();

    void add(Member member) {
      boolean again = places.containsKey(member.name()) && !merged.remove(member.name());
      if (again && repeated == null) {
        all.add(member);
      } else {
        set(member);
      }
    }

    void merge(Member member) {
      set(member);
      merged.add(member.name());
    }

    List<Member> list() {
      return all;
    }

    private void set(Member member) {
      Integer place = places.putIfAbsent(member.name(), all.size());
      if (place == null) {
        all.add(member);
        return;
      }
      all.set(place, member);
      if (repeated != null && repeats++ < DocumentLimits.FAULTS) {
        repeated.repeated(
            "",
            "line %d: key \"%s\" already set in map"
                .formatted(member.value().line(), Trail.cut(member.name())));
      }
    }
  }

  private static boolean isMergeKey(Event event) {
    return event instanceof ScalarEvent scalar
        && scalar.getScalarStyle() == ScalarStyle.PLAIN
        && scalar.getTag().isEmpty()
        && scalar.getValue().equals(MERGE_KEY);
  }

  private List<Member> mergeable(Event key, RawNode value) {
    if (value instanceof RawObject object) {
      return object.members();
    }
    if (value instanceof RawArray array) {
      List<Member> all = new ArrayList<>();
      array.items().reversed().forEach(item -> all.addAll(mergeable(key, item)));
      count(key, all.size());
      return all;
    }
    throw fault(key, "\"<<\" takes a map or a list of maps");
  }

  private String memberName(Event event, RawNode name) {
    if (name instanceof RawValue value) {
      return YamlScalars.key(value)
          .orElseThrow(() -> fault(event, value.text() + " cannot be a map key"));
    }
    throw fault(event, "a map key must be text");
  }

  private DocumentSyntaxException fault(Event event, String problem) {
    Optional<Mark> mark = event.getStartMark();
    return new DocumentSyntaxException(
        sourceName, line(event), mark.map(m -> m.getColumn() + 1).orElse(0), problem);
  }

  private static int line(Event event) {
    return event.getStartMark().map(m -> m.getLine() + 1).orElse(0);
  }

  private static String oneLine(String text) {
    return text.lines().findFirst().orElse("").strip();
  }
}
