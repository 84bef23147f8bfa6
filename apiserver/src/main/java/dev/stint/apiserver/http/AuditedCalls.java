package dev.stint.apiserver.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stint.apiserver.audit.AuditRecord;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.StatusObjects;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.model.Json;
import dev.stint.model.document.Documents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Brings requests and their responses onto the audit trail. */
public final class AuditedCalls {
  private static final String AUDIT_ID = "Audit-Id";
  private static final String RESERVED = "\"#%<>?\\^`{|}";

  private AuditedCalls() {}

  /** Answers a request. */
  public interface Work {
    ApiResponse answer() throws IOException;
  }

  /** Returns where a request comes from. */
  public static AuditRecord.Source source(Call call, ClientIdentity peer) {
    String query = call.query().raw();
    return new AuditRecord.Source(
        encoded(call.path()) + (query.isEmpty() ? "" : "?" + query),
        peer.address(),
        call.header("User-Agent"),
        call.header(AUDIT_ID),
        call.annotations()::asMap);
  }

  /** Returns the sorts of credentials of a request. */
  public static String credentials(Call call, ClientIdentity peer) {
    List<String> sorts = new ArrayList<>();
    if (peer.certificate() != null) {
      sorts.add("x509");
    }
    String scheme = call.header("Authorization").strip().split(" ", 2)[0].toLowerCase(Locale.ROOT);
    if (List.of("basic", "bearer").contains(scheme)) {
      sorts.add(scheme);
    }
    return String.join(", ", sorts);
  }

  /** Returns the request, whose body is recorded when it is read, if the policy wants it. */
  public static Call reading(AuditRecord record, Call call) {
    if (!record.hasRequestObject()) {
      return call;
    }
    Call json = ProtobufFilter.asJson(call);
    return json.with(() -> {
      byte[] body = json.body().read();
      record.requestObject(() -> tree(json.contentType(), body));
      return body;
    });
  }

  /**
   * Carries out a request and records how it ends.
   *
   * @param route of a long running request, which also has an event when its response begins
   */
  public static ApiResponse answer(AuditRecord record, Route route, Work work) throws IOException {
    if (!record.isRecorded()) {
      return work.answer();
    }
    try {
      return recorded(record, route.isLongRunning(), work.answer());
    } catch (ClusterException refusal) {
      record.onRefused(StatusObjects.of(refusal));
      throw refusal;
    } catch (IOException gone) {
      record.onDisconnected();
      throw gone;
    } catch (RuntimeException | StackOverflowError fault) {
      record.onPanic();
      throw fault;
    }
  }

  private static ApiResponse recorded(AuditRecord record, boolean isLong, ApiResponse reply) {
    return switch (reply) {
      case ApiResponse.Whole whole -> {
        whole(record, whole);
        yield new ApiResponse.Whole(
            whole.code(), whole.type(), whole.body(), withId(whole.headers(), record));
      }
      case ApiResponse.Streamed streamed ->
          new ApiResponse.Streamed(
              streamed.code(),
              streamed.type(),
              new AuditedBody(record, isLong, streamed),
              withId(streamed.headers(), record));
      case ApiResponse.Upgraded upgraded ->
          new ApiResponse.Upgraded(upgraded.protocol(), new AuditedSession(record, upgraded));
    };
  }

  private static List<ApiResponse.Header> withId(
      List<ApiResponse.Header> headers, AuditRecord record) {
    List<ApiResponse.Header> all = new ArrayList<>(headers);
    all.add(new ApiResponse.Header(AUDIT_ID, record.auditId()));
    return List.copyOf(all);
  }

  private static void whole(AuditRecord record, ApiResponse.Whole whole) {
    if (record.hasResponseObject()) {
      record.responseObject(() -> tree(whole.type(), whole.body()));
    }
    boolean isStatus =
        whole.code() >= 400
            && (whole.type().equals(ApiResponse.JSON)
                || whole.type().equals(ProtobufDocument.MEDIA_TYPE));
    if (isStatus && tree(whole.type(), whole.body()) instanceof ObjectNode status) {
      record.onRefused(status);
    } else {
      record.onResponseComplete(whole.code());
    }
  }

  /** A body whose end is recorded. A client ends a long one by disconnecting: no failure. */
  private static final class AuditedBody extends ForwardingBody {
    private final AuditRecord record;
    private final boolean isLong;
    private final ApiResponse.Streamed streamed;

    AuditedBody(AuditRecord record, boolean isLong, ApiResponse.Streamed streamed) {
      super(streamed.body());
      this.record = record;
      this.isLong = isLong;
      this.streamed = streamed;
    }

    @Override
    public void onRefused(ApiResponse.Whole instead) {
      whole(record, instead);
    }

    @Override
    public void writeTo(ApiResponse.Sink sink) throws IOException, InterruptedException {
      if (isLong) {
        record.onResponseStarted(streamed.code());
      }
      try {
        write(sink);
        record.onResponseComplete(streamed.code());
      } catch (IOException gone) {
        if (!isLong) {
          record.onDisconnected();
        }
        throw gone;
      } catch (RuntimeException | StackOverflowError fault) {
        record.onPanic();
        throw fault;
      } finally {
        record.onResponseComplete(streamed.code());
      }
    }

    /** Writes it, and records what was written if the policy wants that and it is not too long. */
    private void write(ApiResponse.Sink sink) throws IOException, InterruptedException {
      if (!isFinite() || !record.hasResponseObject()) {
        super.writeTo(sink);
        return;
      }
      RecordingSink recording = new RecordingSink(sink);
      super.writeTo(recording);
      recording.whole().ifPresent(body -> record.responseObject(() -> tree(streamed.type(), body)));
    }
  }

  private record AuditedSession(AuditRecord record, ApiResponse.Upgraded upgraded)
      implements WebSocketSession {
    @Override
    public long memory() {
      return upgraded.conversation().memory();
    }

    @Override
    public boolean isInteractive() {
      return upgraded.conversation().isInteractive();
    }

    @Override
    public void onRefused(ApiResponse.Whole instead) {
      whole(record, instead);
    }

    @Override
    public void hold(Frames frames, String protocol) throws IOException, InterruptedException {
      record.onResponseStarted(upgraded.code());
      try {
        upgraded.conversation().hold(frames, protocol);
      } catch (RuntimeException | StackOverflowError fault) {
        record.onPanic();
        throw fault;
      } finally {
        record.onResponseComplete(upgraded.code());
      }
    }
  }

  private static @Nullable JsonNode tree(String type, byte[] body) {
    if (body.length == 0) {
      return null;
    }
    if (type.equals(ProtobufDocument.MEDIA_TYPE)) {
      return ProtobufDocument.read(body);
    }
    return type.contains("yaml") ? Documents.readWritten(body, "", "").tree() : Json.read(body);
  }

  private static String encoded(String path) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : path.getBytes(UTF_8)) {
      if (b > ' ' && b < 127 && RESERVED.indexOf(b) < 0) {
        encoded.append((char) b);
      } else {
        encoded.append('%').append("%02X".formatted(b & 0xff));
      }
    }
    return encoded.toString();
  }
}
