package dev.stint.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobAdmission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

class StatusObjectsTest {
  private static final ObjectRef PI = new ObjectRef(Kind.JOB, "default", "pi");

  @Test
  void anInvalidJobIsAnsweredWithAllItsFaultsAndTheValuesAtFault() {
    String text =
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: pi, namespace: default}
        spec:
          parallelism: -1
          completionMode: Some
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: busybox}]
        """;
    ObjectNode job =
        Documents.read("x", text.getBytes(StandardCharsets.UTF_8)).getFirst().object().copy();
    List<FieldError> faults = JobAdmission.create(job, "uid", FeatureGates.DEFAULT);
    assertThat(StatusObjects.of(ClusterException.refusing(PI, faults)))
        .isEqualTo(
            Json.parse(
                """
                {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                 "message": "Job.batch \\"pi\\" is invalid: [spec.parallelism: Invalid value: -1: must\
                 be greater than or equal to 0, spec.completionMode: Unsupported value: \\"Some\\":\
                 supported values: \\"Indexed\\", \\"NonIndexed\\"]",
                 "reason": "Invalid",
                 "details": {"name": "pi", "group": "batch", "kind": "Job", "causes": [
                   {"reason": "FieldValueInvalid", "message": "Invalid value: -1: must be greater than or equal to 0",
                    "field": "spec.parallelism"},
                   {"reason": "FieldValueNotSupported",
                    "message": "Unsupported value: \\"Some\\": supported values: \\"Indexed\\", \\"NonIndexed\\"",
                    "field": "spec.completionMode"}]},
                 "code": 422}
                """));
  }

  @Test
  void aDocumentThatCannotBeDecodedIsABadRequest() {
    FieldError unknown = new FieldError("spec.x", FieldError.Type.UNKNOWN, "unknown field");
    FieldError other = new FieldError("spec.y", FieldError.Type.INVALID, "is wrong");
    ObjectNode status = StatusObjects.of(ClusterException.refusing(PI, List.of(other, unknown)));
    assertThat(Json.integer(status, "code")).isEqualTo(400);
    assertThat(Json.text(status, "reason")).isEqualTo("BadRequest");
    assertThat(Json.text(status, "message"))
        .isEqualTo(
            "Job in version \"v1\" cannot be handled as a Job: strict decoding error: spec.x:"
                + " unknown field");
    assertThat(status.at("/details").has("causes")).isFalse();
  }

  @Test
  void aMissingObjectIsNamedByItsResource() {
    ObjectNode status =
        StatusObjects.of(
            new ClusterException(
                Reason.NOT_FOUND, "jobs.batch \"pi\" not found", List.of(), null, PI));
    assertThat(status.get("details"))
        .isEqualTo(Json.parse("{\"name\": \"pi\", \"group\": \"batch\", \"kind\": \"jobs\"}"));
  }

  @ParameterizedTest
  @CsvSource({
    "REQUIRED, FieldValueRequired, Required value: is wrong",
    "INVALID, FieldValueInvalid, Invalid value: 7: is wrong",
    "TYPE_INVALID, FieldValueTypeInvalid, Invalid value: 7: is wrong",
    "NOT_SUPPORTED, FieldValueNotSupported, Unsupported value: 7: is wrong",
    "DUPLICATE, FieldValueDuplicate, Duplicate value: 7",
    "FORBIDDEN, FieldValueForbidden, Forbidden: is wrong",
    "NOT_FOUND, FieldValueNotFound, Not found: 7",
    "TOO_LONG, FieldValueTooLong, Too long: is wrong",
    "TOO_MANY, FieldValueTooMany, Too many: is wrong",
  })
  void everyCauseHasItsWords(FieldError.Type type, String cause, String message) {
    FieldError fault = new FieldError("spec.x", type, "is wrong", Json.parse("{\"v\":7}").get("v"));
    ObjectNode status = StatusObjects.of(ClusterException.refusing(PI, List.of(fault)));
    assertThat(status.at("/details/causes/0"))
        .isEqualTo(
            Json.object().put("reason", cause).put("message", message).put("field", "spec.x"));
  }

  /**
   * Client-go asks for the newest list after this cause, and repeats the request forever without
   * it.
   */
  @Test
  void aFutureRevisionIsDistinguishedFromOtherTimeouts() {
    ObjectNode status = StatusObjects.of(ClusterException.notReached(9, 5));
    assertThat(Json.integer(status, "code")).isEqualTo(504);
    assertThat(Json.text(status, "message")).isEqualTo("Too large resource version: 9, current: 5");
    assertThat(status.get("details"))
        .isEqualTo(
            Json.parse(
                """
                {"causes": [{"reason": "ResourceVersionTooLarge",
                  "message": "Too large resource version"}], "retryAfterSeconds": 1}
                """));
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void everyReasonHasItsCodeAndText(Reason reason) {
    ObjectNode status = StatusObjects.of(new ClusterException(reason, "why"));
    assertThat(Json.integer(status, "code")).isEqualTo(reason.code());
    assertThat(Json.text(status, "reason")).isNotBlank();
    assertThat(Json.text(status, "message")).isEqualTo("why");
  }

  @Test
  void aRefusalForTooManyRequestsHasARetryAfter() {
    ObjectNode status = StatusObjects.of(new ClusterException(Reason.TOO_MANY_REQUESTS, "later"));
    assertThat(status.at("/details/retryAfterSeconds").intValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED"})
  void aPathThatIsNotServedHasEmptyDetails(Reason reason) {
    assertThat(StatusObjects.of(new ClusterException(reason, "no")).get("details"))
        .isEqualTo(Json.object());
  }

  @Test
  void aListThatExpiredSaysHowToGoOn() {
    ClusterException expired = new ClusterException(Reason.GONE, "too old");
    assertThat(StatusObjects.of(expired).get("metadata")).isEqualTo(Json.object());
    assertThat(StatusObjects.of(expired.withContinueToken("next")).get("metadata"))
        .isEqualTo(Json.object().put("continue", "next"));
  }
}
