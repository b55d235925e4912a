/** Knows which headers frame, route, identify or override, and so are never the agent's to set. */

/**
 * A header name as the most lenient servers fold it: CGI and its heirs make every character but letters and digits one
 * and the same, so `X_Forwarded_For` is `X-Forwarded-For` there.
 */
export function foldHeaderName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "-");
}

/** Refused whatever the record says. All folded. */
const refusedNames: ReadonlySet<string> = new Set([
  // Framing and connection (RFC 9110, 9112)
  ..."content-length transfer-encoding content-encoding content-transfer-encoding te trailer trailers".split(
    " ",
  ),
  ..."connection keep-alive upgrade expect http2-settings alt-used alt-svc max-forwards early-data".split(
    " ",
  ),
  ..."upgrade-insecure-requests accept-encoding accept-transfer-encoding x-accept-encoding".split(" "),
  // Routing
  ..."host forwarded via x-host x-http-host x-original-host x-server-name x-backend x-upstream".split(" "),
  ..."x-original-url x-original-uri x-original-path x-request-uri x-request-url x-request-path".split(" "),
  ..."x-uri x-url x-path x-path-info x-script-name x-base-url base-url request-uri x-destination".split(" "),
  ..."x-forward x-forwarded x-forwarded-for x-port x-scheme x-protocol x-url-scheme front-end-https".split(
    " ",
  ),
  ..."x-sendfile x-wap-profile x-dns-prefetch-control x-rewrite destination".split(" "),
  // Who asks, and from where
  ..."authorization cookie cookie2 set-cookie set-cookie2 www-authenticate authentication-info".split(" "),
  ..."client-ip true-client-ip x-client-ip x-real-ip x-real-host x-ip x-remote x-cluster-client-ip".split(
    " ",
  ),
  ..."x-originating-ip x-source-ip x-user-ip x-host-ip x-trusted-ip x-true-ip x-true-client-ip".split(" "),
  ..."x-authorization x-authenticated-user x-authenticated-userid x-consumer-id x-client-cert".split(" "),
  ..."x-client-verify x-client-dn client-cert client-cert-chain from remote-user remote-addr".split(" "),
  ..."x-azure-clientip x-azure-socketip fastly-client-ip fastly-client x-coming-from coming-from".split(" "),
  ..."x-custom-ip-authorization origin referer referrer clear-site-data".split(" "),
  // Override
  ..."x-method x-original-method method-override x-method-override x-http-method http-method".split(" "),
  ..."method http-method-override x-request-method request-method x-action-override".split(" "),
  // Names that axios takes for its own groups of default headers, and those of every object
  ..."common delete get head patch post put query".split(" "),
  ..."--proto-- constructor prototype".split(" "),
]);

const refusedPrefixes = [
  "proxy-",
  "sec-",
  "access-control-",
  "x-forwarded-",
  "x-forward-",
  "forwarded-",
  "x-http-method",
  "x-method-override",
  "x-original-",
  "x-rewrite-",
  "x-override-",
  "x-real-",
  "x-remote-",
  "x-proxy-",
  "x-proxyuser-",
  "x-accel-",
  "x-envoy-",
  "x-appengine-",
  "x-ssl-",
  "ssl-client",
  "cf-",
  "fly-",
  "x-goog-iap-",
  "x-goog-authenticated-",
  "x-amzn-oidc-",
  "x-ms-client-principal",
  "x-auth-request-",
  "x-authenticated-",
  "x-authentik-",
  "x-webauth-",
  "x-arr-",
  "x-middleware-",
  "x-nextjs-",
] as const;

/**
 * Refused unless the record names them in `allowedHeaders`: credentials and identities besides the source's own, parts
 * of an answer, and trace context (a re-pointed `baggage` sends data elsewhere).
 */
const reservedNames: ReadonlySet<string> = new Set([
  ..."api-key apikey x-apikey x-api-token access-token x-access-token auth-token x-auth x-token token".split(
    " ",
  ),
  ..."private-token job-token deploy-token x-auth-key x-auth-email x-auth-user x-api-secret".split(" "),
  ..."x-session-token x-amz-security-token x-id-token".split(" "),
  ..."x-vault-token x-gitlab-token x-shopify-access-token x-goog-api-key ocp-apim-subscription-key".split(
    " ",
  ),
  ..."x-functions-key dd-api-key dd-application-key x-access-key x-secret-key x-signature".split(" "),
  ..."sudo on-behalf-of x-on-behalf-of x-act-as x-run-as x-sudo callerobjectid mscrmcallerid".split(" "),
  ..."x-user x-user-id x-userid x-username x-user-email x-user-name x-user-role x-user-roles x-role".split(
    " ",
  ),
  ..."x-roles x-admin x-is-admin x-groups x-user-groups".split(" "),
  ..."range x-range baggage traceparent tracestate b3 sentry-trace uber-trace-id".split(" "),
  ..."x-amzn-trace-id x-cloud-trace-context correlation-context grpc-trace-bin".split(" "),
]);

const reservedPrefixes = [
  "x-api-key",
  "x-auth-token",
  "x-impersonate",
  "impersonate-",
  "x-b3-",
  "x-datadog-",
  "x-ot-",
] as const;

/** Whether the wall refuses the header in every record. */
export function isRefusedHeader(name: string): boolean {
  const folded = foldHeaderName(name);
  // "_method" and "-host" fold to a leading dash.
  const bare = folded.replace(/^-/, "");
  return [folded, bare].some(
    (form) => refusedNames.has(form) || refusedPrefixes.some((prefix) => form.startsWith(prefix)),
  );
}

/** Whether the agent may set the header only where the record names it. */
export function isReservedHeader(name: string): boolean {
  const folded = foldHeaderName(name);
  return reservedNames.has(folded) || reservedPrefixes.some((prefix) => folded.startsWith(prefix));
}
