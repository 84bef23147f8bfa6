package dev.stint.model.document;

import dev.stint.model.document.RawNode.Member;
import dev.stint.model.document.RawNode.RawArray;
import dev.stint.model.document.RawNode.RawObject;
import dev.stint.model.document.RawNode.RawValue;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * Reads YAML as kubectl does: several documents, anchors, merge keys, YAML 1.1 booleans.
 *
 * <p>Built on events, not on the library's nodes, so that depth and aliases are bounded while
 * reading.
 */
final class YamlReader {
  private static final String MERGE_KEY = "<<";

  private final String sourceName;
  private final Iterator<Event> events;
  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private int depth;
  private int values;

  /** A named node, and how many values it holds when written out. */
  private record Anchored(RawNode node, int values) {}

  private YamlReader(String sourceName, Iterator<Event> events) {
    this.sourceName = sourceName;
    this.events = events;
  }

  /** The documents of a text, empty ones included. */
  static List<RawNode> read(String sourceName, byte[] text) {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(Limits.CHARACTERS).build();
    try {
      Iterator<Event> events =
          new Parse(settings).parseInputStream(new ByteArrayInputStream(text)).iterator();
      return new YamlReader(sourceName, events).documents();
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

  /** What is mostly the reason where the parser speaks of its own affairs. */
  private static String hint(String problem) {
    if (problem.contains("<block") || problem.contains("not allowed here")) {
      return "; see that the line is indented like its neighbours";
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

  private RawNode node(Event event) {
    if (++values > Limits.VALUES) {
      throw fault(event, "too many values; at most " + Limits.VALUES + ", aliases written out");
    }
    int before = values;
    RawNode node =
        switch (event) {
          case AliasEvent alias -> alias(alias);
          case ScalarEvent scalar -> scalar(scalar);
          case CollectionStartEvent start -> collection(start);
          default -> throw fault(event, "unexpected " + event);
        };
    if (!(event instanceof AliasEvent) && event instanceof NodeEvent named) {
      named.getAnchor().ifPresent(a -> anchors.put(a, new Anchored(node, values - before)));
    }
    return node;
  }

  private RawNode alias(AliasEvent event) {
    Anchored found = anchors.get(event.getAlias());
    if (found == null) {
      throw fault(event, "no anchor &" + event.getAlias() + " before this alias");
    }
    values = Math.min(values + found.values, Limits.VALUES);
    return found.node;
  }

  private RawValue scalar(ScalarEvent event) {
    boolean plain = event.getScalarStyle() == ScalarStyle.PLAIN;
    String tag = event.getTag().orElse(plain ? "" : YamlScalars.STRING_TAG);
    return YamlScalars.resolve(line(event), tag, event.getValue())
        .orElseThrow(() ->
            fault(event, "tag " + tag + " does not fit \"" + oneLine(event.getValue()) + "\""));
  }

  private RawNode collection(CollectionStartEvent start) {
    if (++depth > Limits.DEPTH) {
      throw fault(start, "nested too deeply; at most " + Limits.DEPTH + " levels");
    }
    RawNode node = start instanceof MappingStartEvent ? mapping(start) : sequence(start);
    depth--;
    return node;
  }

  private RawArray sequence(CollectionStartEvent start) {
    List<RawNode> items = new ArrayList<>();
    Event event = events.next();
    while (!(event instanceof SequenceEndEvent)) {
      items.add(node(event));
      event = events.next();
    }
    return new RawArray(line(start), items);
  }

  private RawObject mapping(CollectionStartEvent start) {
    List<Member> members = new ArrayList<>();
    List<Member> merged = new ArrayList<>();
    Event event = events.next();
    while (!(event instanceof MappingEndEvent)) {
      boolean merge = isMergeKey(event);
      RawNode name = node(event);
      RawNode value = node(events.next());
      if (merge) {
        merged.addAll(mergeable(event, value));
      } else {
        members.add(new Member(memberName(event, name), line(event), value));
      }
      event = events.next();
    }
    return new RawObject(line(start), merged.isEmpty() ? members : withMerged(members, merged));
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
      array.items().forEach(item -> all.addAll(mergeable(key, item)));
      values += all.size();
      return all;
    }
    throw fault(key, "\"<<\" takes a map or a list of maps");
  }

  /** What is written at the place itself wins over what is merged in, and earlier over later. */
  private static List<Member> withMerged(List<Member> own, List<Member> merged) {
    Set<String> names = new HashSet<>();
    own.forEach(member -> names.add(member.name()));
    List<Member> all = new ArrayList<>(own);
    merged.stream().filter(member -> names.add(member.name())).forEach(all::add);
    return all;
  }

  private String memberName(Event event, RawNode name) {
    if (name instanceof RawValue value) {
      return value.value().isString() ? value.value().stringValue() : value.text();
    }
    throw fault(event, "a map's key must be text");
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
