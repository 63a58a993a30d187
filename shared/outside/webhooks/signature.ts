import { createHmac } from 'node:crypto';

/** The signed data: the event's id, the time of the attempt in seconds, and the exact bytes of the body. */
export interface Signed {
  id: string;
  timestampSeconds: number;
  body: Buffer;
}

/** The signature header of Standard Webhooks: one signature for each secret, the current one first. */
export const signatureHeader = (signed: Signed, secrets: readonly string[]): string =>
  secrets.map((secret) => `v1,${sign(signed, secret)}`).join(' ');

function sign({ id, timestampSeconds, body }: Signed, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64');
}
