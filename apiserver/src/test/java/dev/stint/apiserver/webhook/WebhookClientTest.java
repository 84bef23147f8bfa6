package dev.stint.apiserver.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.stint.apiserver.access.pki.ServerCertificate;
import dev.stint.model.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class WebhookClientTest {
  private static final int LIMIT = 1000;

  private final CountDownLatch end = new CountDownLatch(1);
  private final HookServer hook = new HookServer(WebhookClientTest::repeat);
  private final WebhookClient client = client(Duration.ofSeconds(30));

  @AfterEach
  void close() {
    end.countDown();
    hook.close();
  }

  private static void repeat(HttpExchange exchange, ObjectNode request) throws IOException {
    HookServer.json(exchange, request);
  }

  private WebhookClient client(Duration timeout) {
    return new WebhookClient((_, _, _) -> hook.address(), timeout);
  }

  private WebhookClientConfig byUrl() {
    return new WebhookClientConfig(hook.url(), null, hook.certificate().leaf());
  }

  private static WebhookClientConfig byService(String name, String bundle) {
    return new WebhookClientConfig(
        null, new WebhookClientConfig.Service("system", name, "/convert", 443), bundle);
  }

  private static String posted(WebhookClient client, WebhookClientConfig config) throws Exception {
    return new String(client.post(config, Json.bytes(Json.object().put("a", 1)), LIMIT), UTF_8);
  }

  private AbstractThrowableAssert<?, ?> failing(WebhookClientConfig config) {
    return assertThatThrownBy(() -> posted(client, config)).isInstanceOf(WebhookException.class);
  }

  @Test
  void itsOwnCertificateOrItsAuthorityIsTrusted() throws Exception {
    assertThat(posted(client, byUrl())).isEqualTo("{\"a\":1}");
    assertThat(posted(client, byService("hook", hook.certificate().authority())))
        .isEqualTo("{\"a\":1}");
  }

  @Test
  void anotherCertificateOrNameIsNotTrusted() {
    failing(new WebhookClientConfig(hook.url(), null, new ServerCertificate("a").authority()))
        .hasMessageContaining("Post \"" + hook.url() + "?timeout=30s\": ")
        .hasMessageContaining("PKIX");
    failing(new WebhookClientConfig(hook.url(), null, "")).hasMessageContaining("PKIX");
    failing(new WebhookClientConfig(hook.url(), null, "aGVsbG8="))
        .hasMessageContaining("unable to load root certificates");
  }

  @Test
  void aServiceIsShownByItsName() {
    hook.answer((exchange, _) -> exchange.sendResponseHeaders(503, -1));
    failing(byService("hook", hook.certificate().leaf()))
        .hasMessageContaining(
            "Post \"https://hook.system.svc:443/convert?timeout=30s\": an error on the server");
  }

  @Test
  void redirectsAreNotFollowed() {
    hook.answer((exchange, _) -> {
      exchange.getResponseHeaders().add("Location", hook.url());
      exchange.sendResponseHeaders(307, -1);
    });
    failing(byUrl()).hasMessageEndingWith("the webhook answered with status 307");
    assertThat(hook.requests()).hasSize(1);
  }

  @Test
  void aLongAnswerIsNotRead() {
    hook.answer((exchange, _) -> {
      exchange.sendResponseHeaders(200, 0);
      OutputStream body = exchange.getResponseBody();
      while (end.getCount() > 0) {
        body.write(new byte[LIMIT]);
      }
    });
    failing(byUrl()).hasMessageContaining("Post ");
  }

  @Test
  void anAnswerThatDoesNotComeIsNotWaitedForLong() {
    hook.answer((exchange, _) -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      await();
    });
    assertThatThrownBy(() -> posted(client(Duration.ofMillis(300)), byUrl()))
        .hasMessageEndingWith("context deadline exceeded");
  }

  @Test
  void aHostThatIsNotFoundIsNotWaitedForLong() {
    ServiceResolver slow =
        (_, _, _) -> {
          await();
          return hook.address();
        };
    assertThatThrownBy(() ->
            posted(
                new WebhookClient(slow, Duration.ofMillis(300)),
                byService("hook", hook.certificate().leaf())))
        .hasMessageContaining("context deadline exceeded");
  }

  @Test
  void aRequestWhoseTimeHasPassedCallsNobody() {
    RequestDeadline.within(
        Duration.ZERO, () -> failing(byUrl()).hasMessageContaining("context deadline exceeded"));
    assertThat(hook.requests()).isEmpty();
  }

  @Test
  void thePathOfAUrlStaysAsItIs() throws Exception {
    ServiceResolver none = (_, _, _) -> hook.address();
    for (String url : List.of("https://127.0.0.1:1/a%2Fb%20c", "https://[::1]", "https://[::1]/")) {
      WebhookEndpoint endpoint = new WebhookClientConfig(url, null, "").endpoint(none);
      assertThat(endpoint.connect()).hasToString(url + "?timeout=30s");
    }
  }

  @Test
  void nobodyListens() {
    InetSocketAddress closed = hook.address();
    hook.close();
    failing(
            new WebhookClientConfig(
                "https://127.0.0.1:" + closed.getPort(), null, hook.certificate().leaf()))
        .hasMessageEndingWith("connection refused");
  }

  private void await() {
    try {
      end.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
