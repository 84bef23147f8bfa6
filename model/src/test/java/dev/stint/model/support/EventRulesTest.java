package dev.stint.model.support;

import static dev.stint.model.support.RuleTexts.json;
import static dev.stint.model.support.RuleTexts.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class EventRulesTest {
  private static final String MODERN =
      "{'metadata':{'namespace':'default'},'involvedObject':{'namespace':'default'},"
          + "'eventTime':'2026-01-01T00:00:00.000000Z','type':'Normal','reason':'R','action':'A',"
          + "'reportingComponent':'x.io/c','reportingInstance':'i'}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "default | {} |",
        "default | {'namespace':'default'} |",
        "default | {'namespace':'other'} | involvedObject.namespace INVALID",
        "default | {'namespace':''} |",
        "other | {'namespace':'default'} | involvedObject.namespace INVALID",
        "other | {} | involvedObject.namespace INVALID",
        "other | {'namespace':'other'} |",
      })
  void anOlderEventIsWhereItsObjectIs(String namespace, String about, @Nullable String faults) {
    ObjectNode event = Json.object().set("involvedObject", json(about));
    event.putObject("metadata").put("namespace", namespace);
    FieldErrors found = new FieldErrors();
    EventRules.check(FieldPath.root(event), found);
    assertThat(words(found)).isEqualTo(faults == null ? "" : faults);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} |",
        "{'involvedObject':{'namespace':'other'},'type':'x','series':{}} |",
        "{'reportingComponent':''} | reportingComponent INVALID, reportingComponent REQUIRED",
        "{'reportingComponent':'a b'} | reportingComponent INVALID",
        "{'reportingInstance':''} | reportingInstance REQUIRED",
        "{'action':null,'reason':''} | action REQUIRED, reason REQUIRED",
      })
  void anEventWithATimeSaysWhoReportsWhat(String members, @Nullable String faults) {
    FieldErrors found = new FieldErrors();
    EventRules.check(FieldPath.root(modern(members)), found);
    assertThat(words(found)).isEqualTo(faults == null ? "" : faults);
  }

  @Test
  void wordsHave128BytesAtMostAndMessages1024() {
    ObjectNode event = modern("{}").put("message", "x".repeat(1024));
    event.put("reason", "x".repeat(128)).put("action", "x".repeat(128));
    FieldErrors found = new FieldErrors();
    EventRules.check(FieldPath.root(event), found);
    assertThat(words(found)).isEmpty();
    event.put("message", "x".repeat(1025)).put("reason", "x".repeat(129));
    EventRules.check(FieldPath.root(event), found);
    assertThat(words(found)).isEqualTo("message INVALID, reason INVALID");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} |",
        "{'type':''} | type INVALID",
        "{'eventTime':null} | eventTime REQUIRED",
        "{'count':0,'source':{},'firstTimestamp':null} |",
        "{'count':1} | count INVALID",
        "{'source':{'component':'c'}} | source INVALID",
        "{'lastTimestamp':'2026-01-01T00:00:00Z'} | lastTimestamp INVALID",
        "{'reportingComponent':'a b'} | reportingController INVALID",
        "{'series':{}} | series.count INVALID, series.lastObservedTime REQUIRED",
        "{'series':{'count':2,'lastObservedTime':'2026-01-01T00:00:00.000000Z'}} |",
      })
  void theOtherGroupTakesNoOlderEvents(String members, @Nullable String faults) {
    FieldErrors found = new FieldErrors();
    EventRules.createModern(FieldPath.root(modern(members)), found);
    assertThat(words(found)).isEqualTo(faults == null ? "" : faults);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} |",
        "{'series':{'count':2,'lastObservedTime':'2026-01-01T00:00:00.000000Z'}} |",
        "{'series':{'count':1,'lastObservedTime':'2026-01-01T00:00:00.000000Z'}} | series.count INVALID",
        "{'message':'other'} | message INVALID",
        "{'reportingComponent':'y'} | reportingController INVALID",
        "{'involvedObject':{}} | involvedObject INVALID",
        "{'reason':''} | reason INVALID, reason REQUIRED",
        "{'eventTime':null} | eventTime INVALID",
      })
  void onlyTheSeriesOfAnEventOfTheOtherGroupChanges(String members, @Nullable String faults) {
    FieldErrors found = new FieldErrors();
    EventRules.updateModern(FieldPath.root(modern("{}")), FieldPath.root(modern(members)), found);
    assertThat(words(found)).isEqualTo(faults == null ? "" : faults);
  }

  @Test
  void anEventHasItsTimesItsSourceAndItsReporter() {
    ObjectNode event = json("{'reportingComponent':'c'}");
    EventRules.complete(event);
    assertThat(event)
        .isEqualTo(
            json(
                "{'reportingComponent':'c','eventTime':null,'firstTimestamp':null,"
                    + "'lastTimestamp':null,'reportingInstance':'','source':{}}"));
  }

  private static ObjectNode modern(String members) {
    return json(MODERN).setAll(json(members));
  }
}
