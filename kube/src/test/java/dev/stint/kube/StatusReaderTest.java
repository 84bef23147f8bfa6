package dev.stint.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.field.FieldError;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusReaderTest {
  @ParameterizedTest
  @CsvSource({
    "400, BadRequest, BAD_REQUEST",
    "401, Unauthorized, UNAUTHORIZED",
    "403, Forbidden, FORBIDDEN",
    "404, NotFound, NOT_FOUND",
    "405, MethodNotAllowed, BAD_REQUEST",
    "409, AlreadyExists, ALREADY_EXISTS",
    "409, Conflict, CONFLICT",
    "410, Expired, GONE",
    "410, Gone, GONE",
    "413, RequestEntityTooLarge, TOO_LARGE",
    "422, Invalid, INVALID",
    "429, TooManyRequests, TOO_MANY_REQUESTS",
    "500, InternalError, INTERNAL",
    "500, ServerTimeout, UNAVAILABLE",
    "503, ServiceUnavailable, UNAVAILABLE",
    "504, Timeout, UNAVAILABLE",
    "418, Teapot, BAD_REQUEST",
  })
  void theReasonComesFromTheStatusOrElseTheCode(int code, String word, Reason reason) {
    ClusterException refusal =
        status(code, "{'kind':'Status','reason':'" + word + "','message':'why'}");
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal).hasMessage("why");
  }

  @Test
  void causesBecomeFaultsWithPaths() {
    ClusterException refusal =
        status(
            422,
            """
            {'kind':'Status','reason':'Invalid','message':'Job.batch is invalid','details':{'causes':[
              {'reason':'FieldValueNotSupported','message':'Unsupported value','field':'spec.a'},
              {'reason':'FieldValueOfTheFuture','message':'no','field':'spec.b[0]'},
              {'reason':'FieldValueInvalid','message':'Invalid value: 1: too small','field':'spec.c'},
              {'message':'no field'}]}}
            """);
    assertThat(refusal.causes())
        .containsExactly(
            new FieldError("spec.a", FieldError.Type.NOT_SUPPORTED, "Unsupported value"),
            new FieldError("spec.b[0]", FieldError.Type.INVALID, "no"),
            new FieldError("spec.c", FieldError.Type.INVALID, "1: too small"),
            new FieldError("", FieldError.Type.INVALID, "no field"));
  }

  @Test
  void otherBodiesBecomeOneLine() {
    ClusterException refusal = status(502, "<html>Bad gateway\n<p>nginx</html>");
    assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(refusal).hasMessage("HTTP 502: <html>Bad gateway");
    assertThat(status(404, "")).hasMessage("HTTP 404");
    assertThat(status(500, "[]").reason()).isEqualTo(Reason.INTERNAL);
  }

  private static ClusterException status(int code, String body) {
    return StatusReader.of(code, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
