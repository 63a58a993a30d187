import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers of a signed webhook. */
export interface SignedHeaders {
  id: string | undefined;
  /** Seconds since the epoch, as text. */
  timestamp: string | undefined;
  /** One or more `v1,<base64>`, apart by spaces. */
  signature: string | undefined;
}

const toleranceSeconds = 300;

function signatureOf(secret: string, signed: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(signed).digest();
}

/** Compares in constant time, which reveals nothing about the difference. */
function isSame(expected: Buffer, presented: string): boolean {
  const [version, base64 = ''] = presented.split(',');
  const given = Buffer.from(base64, 'base64');
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Why a webhook must not be trusted, by the rules of Standard Webhooks; undefined if it can be. It follows the
 * standard, not our sender, so each checks the other.
 */
export function distrust(secret: string, headers: SignedHeaders, body: string, now = new Date()): string | undefined {
  const { id, timestamp, signature } = headers;
  if (!id || !timestamp || !signature) return 'a signature header is missing';
  const ageSeconds = now.getTime() / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp)) return 'the timestamp is not a number of seconds';
  if (ageSeconds > toleranceSeconds) return 'the timestamp is too old';
  if (ageSeconds < -toleranceSeconds) return 'the timestamp lies in the future';
  const expected = signatureOf(secret, `${id}.${timestamp}.${body}`);
  return signature.split(' ').some((one) => isSame(expected, one)) ? undefined : 'no signature matches';
}
