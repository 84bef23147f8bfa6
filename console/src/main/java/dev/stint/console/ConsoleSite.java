package dev.stint.console;

import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Reply;
import dev.stint.apiserver.http.Site;
import dev.stint.cluster.ClusterException;
import dev.stint.jobs.JobException;
import dev.stint.model.Json;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The console under {@code /console}: pages for everybody, since there is nothing in them, and
 * under {@code /console/api} what they show, for whoever has signed in.
 */
public final class ConsoleSite implements Site {
  private static final String ROOT = "/console";
  private static final String ASSETS = ROOT + "/assets/";
  private static final String API = ROOT + "/api/";
  private static final String SESSION = "session";

  private final ConsoleOptions options;
  private final Assets assets = new Assets();
  private final SignIn signIn;
  private final JobReads reads;
  private final JobActions actions;

  public ConsoleSite(ConsoleOptions options) {
    this.options = options;
    this.signIn =
        new SignIn(
            options.clock(), ticket -> options.announce().accept(ROOT + "/#sign-in=" + ticket));
    LiveJobs live = new LiveJobs(options.cluster(), options.tree(), options.clock());
    this.reads = new JobReads(options, live);
    this.actions = new JobActions(options.cluster(), options.clock());
  }

  /** Announces the first link. */
  public void open() {
    signIn.offer();
  }

  @Override
  public String root() {
    return ROOT;
  }

  @Override
  public Reply answer(Call call) throws IOException {
    return Replies.safe(unsafe(call));
  }

  private Reply unsafe(Call call) throws IOException {
    try {
      return call.path().startsWith(API) ? api(call) : page(call);
    } catch (ClusterException refused) {
      return Replies.refused(refused.reason().code(), String.valueOf(refused.getMessage()));
    } catch (JobException | IllegalArgumentException refusal) {
      return Replies.refused(422, String.valueOf(refusal.getMessage()));
    }
  }

  private Reply page(Call call) {
    if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
      return Replies.refused(405, "pages are only read");
    }
    if (call.path().startsWith(ASSETS)) {
      return assets
          .of(call.path().substring(ASSETS.length()))
          .orElseGet(() -> Replies.refused(404, "there is no " + call.path()));
    }
    return assets.of(Assets.PAGE).orElseThrow();
  }

  private Reply api(Call call) throws IOException {
    Optional<String> foreign = Origins.refusal(call);
    if (foreign.isPresent()) {
      return Replies.refused(403, foreign.get());
    }
    String path = call.path().substring(API.length());
    if (path.equals(SESSION) && call.method().equals("POST")) {
      return enter(call);
    }
    String session = cookie(call);
    if (!signIn.knows(session)) {
      return Replies.refused(401, "sign in by the link that stint has printed");
    }
    if (path.equals(SESSION)) {
      return call.method().equals("DELETE") ? leave(call, session) : session();
    }
    return switch (call.method()) {
      case "GET" -> whileSignedIn(session, reads.answer(path, call.query()));
      case "POST" ->
          options.readOnly()
              ? Replies.refused(403, "this console only shows; nothing can be changed here")
              : actions.answer(path, body(call));
      default -> Replies.refused(405, call.method() + " is not understood here");
    };
  }

  private Reply enter(Call call) throws IOException {
    String ticket = Json.text(body(call), "ticket");
    return signIn
        .enter(ticket == null ? "" : ticket)
        .map(session -> Replies.with(session(), cookie(call, session, "")))
        .orElseGet(() ->
            Replies.refused(
                401,
                "the link is not valid, or was used before; stint prints a new one each time"));
  }

  /** What goes on ends with the session; as long as it goes on, the session is in use. */
  private Reply whileSignedIn(String session, Reply reply) {
    return reply instanceof Reply.Streamed(int code, String type, Reply.Body body, var headers)
        ? new Reply.Streamed(
            code, type, sink -> body.writeTo(new Guarded(sink, session)), List.copyOf(headers))
        : reply;
  }

  private final class Guarded implements Reply.Sink {
    private final Reply.Sink sink;
    private final String session;

    Guarded(Reply.Sink sink, String session) {
      this.sink = sink;
      this.session = session;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      if (!signIn.knows(session)) {
        throw new IOException("the session has ended");
      }
      sink.write(bytes);
    }

    @Override
    public void onClose(Runnable task) {
      sink.onClose(task);
    }
  }

  private Reply leave(Call call, String session) {
    signIn.leave(session);
    return Replies.with(Reply.json(200, Json.object()), cookie(call, "", "; Max-Age=0"));
  }

  private Reply.Whole session() {
    ObjectNode session = Json.object().put("about", options.about());
    return Reply.json(200, session.put("readOnly", options.readOnly()));
  }

  private static ObjectNode body(Call call) throws IOException {
    try {
      return Json.parse(call.body().read());
    } catch (JacksonException | ClassCastException broken) {
      throw new IllegalArgumentException("the request is not a JSON object");
    }
  }

  private Reply.Header cookie(Call call, String value, String more) {
    return new Reply.Header(
        "Set-Cookie",
        cookieName(call)
            + "="
            + value
            + "; Path="
            + ROOT
            + "; HttpOnly; SameSite=Strict"
            + (options.secure() ? "; Secure" : "")
            + more);
  }

  private static String cookie(Call call) {
    String name = cookieName(call) + "=";
    return List.of(call.header("Cookie").split(";", -1)).stream()
        .map(String::strip)
        .filter(each -> each.startsWith(name))
        .map(each -> each.substring(name.length()))
        .findFirst()
        .orElse("");
  }

  /** Cookies are the same for all ports of a host: each port has its own name. */
  private static String cookieName(Call call) {
    String host = Origins.host(call);
    String port = host.substring(host.lastIndexOf(':') + 1);
    return "stint-console" + (port.matches("\\d{1,5}") ? "-" + port : "");
  }
}
