package dev.stint.conformance.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.conformance.answers.InProcessApi.Answered;
import dev.stint.model.Json;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The comparison sees each kind of difference; a replay that always agreed would prove nothing. */
class AgreementTest {
  private static final String ADMITTED =
      "{\"metadata\":{\"name\":\"a\",\"uid\":\"1\"},\"spec\":{\"owner\":\"1\"}}";

  private final AnswerAgreement agreement = new AnswerAgreement("area", "known"::equals);

  @Test
  void theSameAnswerAgreesWhateverItsUidIs() {
    agreement.take(accepted("r"), answered(201, ADMITTED.replace("\"1\"", "\"2\"")));
    assertThat(agreement.differing()).isZero();
  }

  @Test
  void anotherCodeDiffers() {
    agreement.take(accepted("r"), answered(200, ADMITTED));
    assertThat(agreement.differing()).isEqualTo(1);
  }

  @Test
  void anotherObjectDiffers() {
    agreement.take(accepted("r"), answered(201, ADMITTED.replace("owner", "other")));
    assertThat(agreement.differing()).isEqualTo(1);
  }

  @Test
  void anotherWarningDiffers() {
    agreement.take(
        accepted("r"), new Answered(201, Json.parse(ADMITTED), List.of("something is deprecated")));
    assertThat(agreement.differing()).isEqualTo(1);
  }

  @Test
  void anotherCauseDiffers() {
    agreement.take(refused(), answered(422, status("spec.b")));
    assertThat(agreement.differing()).isEqualTo(1);
  }

  @Test
  void theSameCauseAgreesWhateverItsMessage() {
    agreement.take(refused(), answered(422, status("spec.a")));
    assertThat(agreement.differing()).isZero();
  }

  @Test
  void aRowThatCannotBeSetUpDiffers() {
    agreement.take(accepted("r"), null);
    assertThat(agreement.differing()).isEqualTo(1);
  }

  @Test
  void aKnownDifferenceIsCountedApart() {
    agreement.take(accepted("known"), answered(400, status("spec.a")));
    assertThat(agreement.differing()).isZero();
    assertThat(agreement.excused()).containsExactly("known");
  }

  private static Answered answered(int code, String body) {
    return new Answered(code, Json.parse(body), List.of());
  }

  private static String status(String field) {
    return """
    {"reason": "Invalid", "details": {"causes": [
      {"field": "%s", "reason": "FieldValueInvalid", "message": "any"}]}}
    """
        .formatted(field);
  }

  private static RecordedAnswer accepted(String id) {
    return row(id, new AdmissionResult(201, null, Set.of()), ADMITTED);
  }

  private static RecordedAnswer refused() {
    return row("r", new AdmissionResult(422, "Invalid", Set.of("spec.a FieldValueInvalid")), null);
  }

  private static RecordedAnswer row(String id, AdmissionResult verdict, @Nullable String admitted) {
    return new RecordedAnswer(
        id,
        "POST",
        new byte[0],
        "application/json",
        null,
        null,
        verdict,
        admitted == null ? null : Json.parse(admitted),
        admitted == null ? null : List.of());
  }
}
