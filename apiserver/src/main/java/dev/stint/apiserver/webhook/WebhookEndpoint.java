package dev.stint.apiserver.webhook;

import java.net.URI;

/**
 * The place of a webhook.
 *
 * @param url as it is shown
 * @param connect the URL that is called, whose host is an address if the webhook is behind a
 *     service
 * @param serverName that the certificate must have; "" for the host of the URL
 * @param caBundle certificates that are trusted, as PEM in base64; "" for those of the machine
 */
record WebhookEndpoint(URI url, URI connect, String serverName, String caBundle) {}
