package dev.stint.console;

import dev.stint.apiserver.access.User;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.QueryParameters;
import dev.stint.apiserver.http.WebApp;
import dev.stint.cluster.ClusterException;
import dev.stint.console.signin.OriginCheck;
import dev.stint.console.signin.SessionBody;
import dev.stint.console.signin.SignIn;
import dev.stint.console.signin.SignInLinks;
import dev.stint.console.simulation.Simulations;
import dev.stint.jobs.JobException;
import dev.stint.model.Json;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The console under {@code /console}. Its static pages are public; the data under {@code
 * /console/api} requires a session.
 */
public final class ConsoleApp implements WebApp {
  private static final String ROOT = "/console";
  private static final String ASSETS = ROOT + "/assets/";
  private static final String API = ROOT + "/api/";
  private static final String SESSION = "session";
  private static final String KINDS = "kinds";
  private static final String PICTURES = "simulations/";

  /** Everybody who is signed in. */
  private static final User USER = User.of("stint:console");

  /** The longest body of anybody who wants to sign in: a ticket is much shorter. */
  private static final int LONGEST_TICKET = 4 << 10;

  /** The longest body of an action. */
  private static final int LONGEST_ACTION = 64 << 10;

  private final ConsoleOptions options;
  private final StaticAssets assets = new StaticAssets();
  private final SignIn signIn;
  private final JobReadHandler reads;
  private final Simulations simulations;
  private final KindReadHandler kinds;
  private final JobActions actions;

  public ConsoleApp(ConsoleOptions options) {
    this(options, _ -> false);
  }

  /**
   * @param minted redeems tickets that are not announced, such as those of {@link SignInLinks}
   */
  public ConsoleApp(ConsoleOptions options, Predicate<String> minted) {
    this.options = options;
    this.signIn =
        new SignIn(
            options.clock(),
            new SecureRandom(),
            ticket -> options.announce().accept(SignInLinks.path(ticket)),
            minted);
    LiveJobs live = new LiveJobs(options);
    this.simulations = new Simulations(options.simulator());
    this.reads = new JobReadHandler(options, live, simulations);
    this.kinds = new KindReadHandler(options.cluster());
    this.actions = new JobActions(options.cluster(), options.clock());
  }

  /** Announces the first sign-in link. */
  public void open() {
    signIn.announceTicket();
  }

  @Override
  public String root() {
    return ROOT;
  }

  @Override
  public ApiResponse answer(Call call) throws IOException {
    return ConsoleResponses.safe(unsafe(call));
  }

  private ApiResponse unsafe(Call call) throws IOException {
    try {
      boolean known = signIn.isSignedIn(cookie(call));
      call.body().identify(known ? USER : User.ANONYMOUS);
      return call.path().startsWith(API) ? api(call) : page(call);
    } catch (ClusterException refused) {
      return refused(refused);
    } catch (JobException | IllegalArgumentException refusal) {
      return ConsoleResponses.refused(422, String.valueOf(refusal.getMessage()));
    }
  }

  /** A page takes 401 as the end of its session, which is none of the cluster's business. */
  private static ApiResponse refused(ClusterException refusal) {
    String why = String.valueOf(refusal.getMessage());
    return refusal.reason() == ClusterException.Reason.UNAUTHORIZED
        ? ConsoleResponses.refused(502, "the cluster does not know this console: " + why)
        : ConsoleResponses.refused(refusal.reason().code(), why);
  }

  private ApiResponse page(Call call) {
    if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
      return ConsoleResponses.refused(405, "only GET and HEAD are supported here");
    }
    if (call.path().startsWith(ASSETS)) {
      return assets
          .of(call.path().substring(ASSETS.length()))
          .orElseGet(() -> ConsoleResponses.refused(404, "not found: " + call.path()));
    }
    return assets.of(StaticAssets.PAGE).orElseThrow();
  }

  private ApiResponse api(Call call) throws IOException {
    Optional<String> foreign = OriginCheck.refusal(call);
    if (foreign.isPresent()) {
      return ConsoleResponses.refused(403, foreign.get());
    }
    String path = call.path().substring(API.length());
    if (path.equals(SESSION) && call.method().equals("POST")) {
      return redeemTicket(call);
    }
    String session = cookie(call);
    if (!signIn.isSignedIn(session)) {
      return ConsoleResponses.refused(
          401,
          "sign in with the link that stint printed, with that of stint console, or with the token of stint controller");
    }
    if (path.equals(SESSION)) {
      return call.method().equals("DELETE") ? signOut(call, session) : session();
    }
    return switch (call.method()) {
      case "GET" -> whileSignedIn(session, read(path, call.query()));
      case "POST" ->
          options.readOnly()
              ? ConsoleResponses.refused(403, "this console is read-only")
              : actions.answer(path, body(call, LONGEST_ACTION));
      default ->
          ConsoleResponses.refused(405, "the method " + call.method() + " is not supported here");
    };
  }

  private ApiResponse read(String path, QueryParameters query) throws IOException {
    if (path.startsWith(PICTURES)) {
      return simulations.picture(path.substring(PICTURES.length()));
    }
    return path.equals(KINDS) || path.startsWith(KINDS + "/")
        ? kinds.answer(path, query)
        : reads.answer(path, query);
  }

  private ApiResponse redeemTicket(Call call) throws IOException {
    String ticket = Json.text(body(call, LONGEST_TICKET), "ticket");
    return signIn
        .redeem(ticket == null ? "" : ticket)
        .map(session -> ConsoleResponses.with(session(), cookie(call, session, "")))
        .orElseGet(() ->
            ConsoleResponses.refused(
                401,
                "the link or token is invalid, has been used or has expired; use the last one"));
  }

  /**
   * Ties a streamed response to its session: the stream ends with the session, and keeps it in use
   * until then.
   */
  private ApiResponse whileSignedIn(String session, ApiResponse reply) {
    return reply
            instanceof
            ApiResponse.Streamed(int code, String type, ApiResponse.Body body, var headers)
        ? new ApiResponse.Streamed(
            code, type, new SessionBody(signIn, session, body), List.copyOf(headers))
        : reply;
  }

  private ApiResponse signOut(Call call, String session) {
    signIn.signOut(session);
    return ConsoleResponses.with(
        ApiResponse.json(200, Json.object()), cookie(call, "", "; Max-Age=0"));
  }

  private ApiResponse.Whole session() {
    ObjectNode session = Json.object().put("about", options.about());
    session.put("readOnly", options.readOnly()).put("simulates", simulations.areOffered());
    return ApiResponse.json(200, session);
  }

  private static ObjectNode body(Call call, int longest) throws IOException {
    try {
      return Json.parse(call.body().read(longest));
    } catch (JacksonException | ClassCastException broken) {
      throw new IllegalArgumentException("the request is not a JSON object");
    }
  }

  private ApiResponse.Header cookie(Call call, String value, String more) {
    return new ApiResponse.Header(
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

  /**
   * Returns the name of the session cookie. Browsers share cookies among all ports of a host, so
   * the name contains the port.
   */
  private static String cookieName(Call call) {
    String host = OriginCheck.host(call);
    String port = host.substring(host.lastIndexOf(':') + 1);
    return "stint-console" + (port.matches("\\d{1,5}") ? "-" + port : "");
  }
}
