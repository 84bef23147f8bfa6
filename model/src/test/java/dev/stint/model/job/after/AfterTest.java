package dev.stint.model.job.after;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.after.After.Predecessor;
import dev.stint.model.job.after.After.Until;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AfterTest {
  private static KubeObject job(String annotations, String spec) {
    String text = "{'metadata':{'annotations':{%s}},'spec':{%s}}".formatted(annotations, spec);
    return KubeObject.of(Json.parse(text.replace('\'', '"')));
  }

  @Test
  void aListNamesJobsAndWhatIsWaitedFor() {
    assertThat(
            After.parse(" extract,load = Finished, shards=index,tidy.up=Complete").predecessors())
        .containsExactly(
            new Predecessor("extract", Until.COMPLETE),
            new Predecessor("load", Until.FINISHED),
            new Predecessor("shards", Until.INDEX),
            new Predecessor("tidy.up", Until.COMPLETE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "a,", "a b", "a=Failed", "a=Index", "A", "a/b", "a=", "-a"})
  void otherTextsAreFaults(String text) {
    assertThatThrownBy(() -> After.parse(text)).hasMessageStartingWith("needs names of Jobs");
    assertThat(After.readable(text)).isNull();
  }

  @Test
  void aJobIsNamedOnceAndNotTooManyAre() {
    assertThatThrownBy(() -> After.parse("a, a=Finished")).hasMessage("names Job a twice");
    String many = IntStream.range(0, 101).mapToObj(i -> "j" + i).collect(Collectors.joining(","));
    assertThatThrownBy(() -> After.parse(many)).hasMessage("names more than 100 Jobs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'stint.dev/after':'a' | 'suspend':true | true
          'stint.dev/after':'a' | 'suspend':false | false
          'stint.dev/other':'a' | 'suspend':true | false
          'stint.dev/after':'a,b','stint.dev/after-met':'a' | 'suspend':true | true
          'stint.dev/after':'a,b','stint.dev/after-met':'a,b' | 'suspend':true | false
          'stint.dev/after':'a=index' | 'suspend':true | true
          'stint.dev/after':'a=index','stint.dev/ready-indexes':'3' | 'suspend':true | false
          """)
  void aJobWaitsUntilItWasStarted(String annotations, String spec, boolean waits) {
    assertThat(AfterProgress.isWaiting(job(annotations, spec))).isEqualTo(waits);
  }

  @Test
  void endsOfPredecessorsAreText() {
    Map<String, PredecessorEnd> ends =
        Map.of(
            "shards", new PredecessorEnd(false, IndexSet.of(0, 2, 3, 4)),
            "tidy.up", new PredecessorEnd(true, IndexSet.EMPTY));
    String text = "shards=Failed 0,2-4; tidy.up=Complete";
    assertThat(PredecessorEnd.text(ends)).isEqualTo(text);
    assertThat(PredecessorEnd.parse(text)).isEqualTo(ends);
    assertThat(PredecessorEnd.parse("a; b=Lost; =Failed; " + text + "; c=Failed x"))
        .isEqualTo(ends);
    assertThat(AfterProgress.of(job("", "")).ended()).isEmpty();
  }

  private static List<String> faults(String after, String spec) {
    FieldErrors faults = new FieldErrors();
    AfterRules.check(FieldPath.root(job("'stint.dev/after':'" + after + "'", spec).copy()), faults);
    return faults.list().stream().map(fault -> fault.path() + ": " + fault.detail()).toList();
  }

  @Test
  void aJobThatIsStartedByOthersIsSuspended() {
    assertThat(faults("a", "'suspend':true")).isEmpty();
    assertThat(faults("a", ""))
        .containsExactly(
            "spec.suspend: must be true, as it is stint.dev/after that starts the Job");
    assertThat(faults("a", "'suspend':false")).hasSize(1);
    assertThat(faults("a b", "")).as("a fault of the option").isEmpty();
  }
}
