package dev.stint.bench.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.bench.kills.JobLedger.Answer;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class JobLedgerTest {
  private final JobLedger ledger = new JobLedger();
  private final List<JsonNode> jobs = new ArrayList<>();

  private void find(String name, String uid, int count) {
    ObjectNode job = Json.object();
    ObjectNode metadata = job.putObject("metadata").put("name", name).put("uid", uid);
    metadata.putObject("annotations").put(JobLedger.COUNT, Integer.toString(count));
    jobs.add(job);
  }

  private List<String> differences() {
    return ledger.differences(jobs);
  }

  @Test
  void whatHadNoAnswerMayBeThereOrNot() {
    ledger.onCreate("there", null);
    ledger.onCreate("not-there", null);
    ledger.onCreate("deleted", "u1");
    ledger.onDelete("deleted", Answer.NONE);
    ledger.onCreate("not-deleted", "u2");
    ledger.onDelete("not-deleted", Answer.NONE);
    find("there", "u0", 0);
    find("not-deleted", "u2", 0);
    assertThat(differences()).isEmpty();
  }

  @Test
  void aLostJobIsFound() {
    ledger.onCreate("a", "u1");
    assertThat(differences()).containsExactly("a: was acknowledged, and is lost");
  }

  @Test
  void aJobThatReturnsIsFound() {
    ledger.onCreate("a", "u1");
    ledger.onDelete("a", Answer.DONE);
    find("a", "u1", 0);
    assertThat(differences()).singleElement().asString().contains("still there");
  }

  @Test
  void anotherJobOfTheNameIsFound() {
    ledger.onCreate("a", "u1");
    find("a", "u2", 0);
    find("b", "u3", 0);
    assertThat(differences())
        .containsExactly(
            "a: is another Job than the one that was acknowledged", "b: nobody created it");
  }

  @Test
  void aLostChangeIsFound() {
    ledger.onCreate("a", "u1");
    ledger.onCount("a", 3, Answer.DONE);
    ledger.onCount("a", 7, Answer.NONE);
    find("a", "u1", 0);
    assertThat(differences()).singleElement().asString().contains("counted up to 3, 7 at most");
    jobs.clear();
    find("a", "u1", 7);
    assertThat(differences()).isEmpty();
  }

  @Test
  void countsWhatWasAcknowledged() {
    ledger.onCreate("a", "u1");
    ledger.onCreate("b", null);
    ledger.onCount("a", 1, Answer.DONE);
    assertThat(ledger.acknowledged()).isEqualTo(2);
    assertThat(ledger.isKept("a")).isTrue();
    assertThat(ledger.isKept("b")).isFalse();
  }
}
