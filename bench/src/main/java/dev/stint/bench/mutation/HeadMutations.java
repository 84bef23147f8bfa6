package dev.stint.bench.mutation;

import static dev.stint.bench.mutation.JsonMutations.pick;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Changes of a request's method, target and headers. */
final class HeadMutations {
  private static final List<String> METHODS =
      List.of(
          "GET",
          "HEAD",
          "POST",
          "PUT",
          "PATCH",
          "DELETE",
          "OPTIONS",
          "TRACE",
          "PROPFIND",
          "get",
          "X");

  private static final List<String> SEGMENTS =
      List.of(
          "",
          ".",
          "..",
          "%2e%2e",
          "%2F",
          "%00",
          "%zz",
          "%C3%28",
          "%FF",
          "status",
          "scale",
          "log",
          "exec",
          "namespaces",
          "default",
          "kube-system",
          "nowhere",
          "pods",
          "jobs",
          "one",
          "watch",
          "proxy",
          "api",
          "apis",
          "v1",
          "batch",
          "v2",
          "a;b=c",
          "a:b",
          "*",
          "~",
          "token",
          "%ED%A0%80",
          "one%0A",
          "x".repeat(300));

  private static final List<String> NAMES =
      List.of(
          "limit",
          "continue",
          "watch",
          "timeoutSeconds",
          "timeout",
          "resourceVersion",
          "resourceVersionMatch",
          "labelSelector",
          "fieldSelector",
          "dryRun",
          "fieldManager",
          "fieldValidation",
          "force",
          "pretty",
          "propagationPolicy",
          "orphanDependents",
          "gracePeriodSeconds",
          "sendInitialEvents",
          "allowWatchBookmarks",
          "container",
          "tailLines",
          "limitBytes",
          "sinceSeconds",
          "sinceTime",
          "previous",
          "stdin",
          "tty",
          "command",
          "ports",
          "includeObject",
          "verbose",
          "exclude",
          "stream",
          "insecureSkipTLSVerifyBackend",
          "as",
          "%00",
          "");

  private static final List<String> VALUES =
      List.of(
          "",
          "0",
          "1",
          "-1",
          "true",
          "false",
          "True",
          "t",
          "nonsense",
          "9223372036854775807",
          "99999999999999999999",
          "-9223372036854775808",
          "2147483648",
          "1e5",
          "0x1",
          "NaN",
          "All",
          "Foreground",
          "Strict",
          "Exact",
          "NotOlderThan",
          "Metadata",
          "None",
          "%00",
          "%FF",
          "%zz",
          "%",
          "%ED%A0%80",
          "%F0%9F%98%80",
          "a%0Ab",
          "2026-01-01T00:00:00Z",
          "9999-99-99T99:99:99Z",
          "1s",
          "0s",
          "-1s",
          "1ns",
          "100000h",
          "1.5h",
          "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0",
          "e30",
          "bm9uc2Vuc2U",
          "x%20".repeat(500));

  private static final List<String> SELECTORS =
      List.of(
          "a",
          "!a",
          "a=b",
          "a==b",
          "a!=b",
          "a in (b,c)",
          "a notin ()",
          "a in (",
          "a in b",
          "a>1",
          "a<x",
          "a > 9223372036854775808",
          ",",
          ",,",
          "a,",
          "=",
          "==",
          "!",
          "!=b",
          "a=b=c",
          "a b",
          "(",
          ")",
          "in in (in)",
          "notin notin (notin)",
          "a\\,b=c",
          "a=\\",
          "metadata.name=x",
          "metadata.name!=x",
          "metadata.namespace=default",
          "status.phase=Running",
          "spec.nodeName=",
          "metadata.labels=a",
          "x.y.z=1",
          "metadata.name=a,metadata.name=b",
          "\uD800",
          "é=ü",
          "a=\0",
          "-=-",
          "a/b/c=d",
          "A.b/c notin (d),!e,f",
          "involvedObject.kind=Pod",
          "type=Opaque",
          "a=" + "b".repeat(70),
          "(".repeat(300),
          "a,".repeat(500) + "a");

  private static final List<String> HEADERS =
      List.of(
          "Accept",
          "Content-Type",
          "Authorization",
          "User-Agent",
          "Accept-Encoding",
          "Content-Encoding",
          "Impersonate-User",
          "Impersonate-Group",
          "Impersonate-Uid",
          "Impersonate-Extra-a%2fb",
          "If-Match",
          "If-None-Match",
          "X-Remote-User",
          "X-Forwarded-For",
          "Sec-WebSocket-Protocol",
          "Sec-WebSocket-Key",
          "Range",
          "Cookie",
          "Origin",
          "Audit-ID",
          "Kubectl-Command",
          "Content-Language",
          "Traceparent");

  private static final List<String> HEADER_VALUES =
      List.of(
          "",
          "*/*",
          "application/json",
          "application/yaml",
          "application/vnd.kubernetes.protobuf",
          "application/json;as=Table;v=v1;g=meta.k8s.io",
          "application/json;as=Table;v=v9;g=x",
          "application/json;;;=",
          "application/json; charset=utf-16",
          "application/cbor",
          "application/json;stream=watch",
          "text/html, image/*;q=0.5",
          "application/apply-patch+yaml",
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "multipart/form-data",
          "gzip",
          "deflate, br",
          "identity;q=0",
          "chunked",
          "Bearer",
          "Bearer ",
          "Bearer x",
          "Bearer a.b.c",
          "Bearer eyJhbGciOiJub25lIn0.e30.",
          "Basic eDp5",
          "Digest x",
          "system:admin",
          "system:masters",
          "system:serviceaccount:default:default",
          "system:serviceaccount:",
          "system:anonymous",
          "bytes=0-1",
          "v4.channel.k8s.io",
          "base64url.bearer.authorization.k8s.io.eA",
          "a=b; c",
          "\"x\"",
          "\t",
          "(",
          ",,,,",
          "q=".repeat(2000),
          "é",
          "00-0-0-0");

  private HeadMutations() {}

  static HttpCall method(HttpCall call, RandomGenerator random) {
    return call.withMethod(pick(METHODS, random));
  }

  static HttpCall path(HttpCall call, RandomGenerator random) {
    String query = call.query().isEmpty() ? "" : "?" + call.query();
    if (random.nextInt(3) == 0) {
      return call.withTarget("/" + TextMutations.target(call.path().substring(1), random) + query);
    }
    List<String> segments = new ArrayList<>(Arrays.asList(call.path().substring(1).split("/", -1)));
    int at = random.nextInt(segments.size());
    switch (random.nextInt(4)) {
      case 0 -> segments.add(at, pick(SEGMENTS, random));
      case 1 -> segments.add(pick(SEGMENTS, random));
      case 2 -> segments.remove(at);
      default -> segments.set(at, pick(SEGMENTS, random));
    }
    return call.withTarget("/" + String.join("/", segments) + query);
  }

  static HttpCall query(HttpCall call, RandomGenerator random) {
    if (random.nextInt(4) == 0) {
      return call.withTarget(call.path() + "?" + TextMutations.target(call.query(), random));
    }
    StringBuilder query = new StringBuilder(random.nextBoolean() ? call.query() : "");
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      query.append('&').append(pick(NAMES, random)).append('=').append(pick(VALUES, random));
    }
    return call.withTarget(call.path() + "?" + query);
  }

  static HttpCall selector(HttpCall call, RandomGenerator random) {
    String selector = pick(SELECTORS, random);
    if (random.nextBoolean()) {
      selector += (random.nextBoolean() ? "," : "") + pick(SELECTORS, random);
    }
    String name = random.nextBoolean() ? "labelSelector" : "fieldSelector";
    String encoded = URLEncoder.encode(selector, StandardCharsets.UTF_8);
    return call.withTarget(call.path() + "?" + name + "=" + encoded + "&" + call.query());
  }

  static HttpCall header(HttpCall call, RandomGenerator random) {
    return call.withHeader(pick(HEADERS, random), pick(HEADER_VALUES, random));
  }
}
