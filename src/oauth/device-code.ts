/** A person agrees on another device: a code to enter, and the question whether they have (RFC 8628). */

import { requestDeviceCode, requestToken, type ServerCall } from "./authorization-server.js";
import { type Consent, type Grant, keyOfConsent } from "./grant.js";
import { TokenRefused } from "./refusals.js";
import type { TokenStore } from "./token-store.js";

interface DeviceConsent extends Consent {
  readonly deviceCode: string;
  readonly intervalMs: number;
  readonly nextPollMs: number;
}

/** Begins: the person gets an address and a code to enter there. */
export async function startDevice(call: ServerCall): Promise<DeviceConsent> {
  const answer = await requestDeviceCode(call);
  const intervalMs = (answer.interval ?? 5) * 1_000;
  const nowMs = call.runtime.clock.now();
  return {
    url: answer.verification_uri_complete ?? answer.verification_uri,
    userCode: answer.user_code,
    expiresAtMs: nowMs + answer.expires_in * 1_000,
    deviceCode: answer.device_code,
    intervalMs,
    nextPollMs: nowMs + intervalMs,
  };
}

/**
 * Asks whether the person with the device code has agreed (RFC 8628, section 3.4); not more often than the server allows.
 *
 * @returns undefined while they have not, or nobody was asked.
 * @throws ApiSourceError `access_denied` when they refused.
 */
export async function pollDevice(call: ServerCall, store: TokenStore): Promise<Grant | undefined> {
  const key = keyOfConsent(call.grant.key);
  const release = await store.lease(key, 45_000);
  if (release === undefined) return undefined;
  try {
    const pending = await store.read(key);
    const { deviceCode, nextPollMs, intervalMs, expiresAtMs } = pending ?? {};
    const nowMs = call.runtime.clock.now();
    if (typeof deviceCode !== "string" || nowMs < Number(nextPollMs)) return undefined;
    const answer = nowMs < Number(expiresAtMs) ? await askDevice(call, deviceCode) : "expired_token";
    if (answer === "authorization_pending" || answer === "slow_down") {
      const wait = Number(intervalMs) + (answer === "slow_down" ? 5_000 : 0);
      await store.write(key, { ...pending, intervalMs: wait, nextPollMs: nowMs + wait });
      return undefined;
    }
    await store.remove(key);
    return typeof answer === "string" ? undefined : answer;
  } finally {
    await release().catch(() => {});
  }
}

/** The grant, or the word that stands for none yet. */
async function askDevice(call: ServerCall, deviceCode: string): Promise<Grant | string> {
  call.runtime.hide([deviceCode]);
  const parameters = { device_code: deviceCode };
  try {
    return await requestToken(call, "urn:ietf:params:oauth:grant-type:device_code", parameters);
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error;
    const word = error.isDead ? "expired_token" : (error.code ?? "");
    if (/^(?:authorization_pending|slow_down|expired_token)$/.test(word)) return word;
    throw error;
  }
}
