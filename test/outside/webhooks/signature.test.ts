import DodoPayments from 'dodopayments';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEndpoint, rotateSecret, signingSecrets, toSecret } from '../../../shared/domain/webhooks/webhook.ts';
import { signatureHeader } from '../../../shared/outside/webhooks/signature.ts';
import { world } from '../../../shared/wiring/runtime.ts';

afterEach(() => vi.useRealTimers());

const secret = toSecret(world.randomBytes(32));
const body = Buffer.from('{"type":"payment.succeeded","data":{"name":"Zoë 🦉\u2028"}}');

function headersAt(at: Date, secrets = [secret], id = 'evt_1') {
  const timestampSeconds = Math.floor(at.getTime() / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatureHeader({ id, timestampSeconds, body }, secrets),
  };
}

const unwrap = (headers: Record<string, string>, key = secret) =>
  new DodoPayments({ bearerToken: 'x', baseURL: 'http://localhost' }).webhooks.unwrap(body.toString(), {
    headers,
    key,
  });

describe('a webhook signature', () => {
  it('equals the published example of Standard Webhooks', () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1_614_265_330,
      body: Buffer.from('{"test": 2432232314}'),
    };
    const header = signatureHeader(signed, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
    expect(header).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('passes the standardwebhooks library and the official client, even on a retry a day later (vercel/eve#1570, better-auth#8844)', () => {
    for (const days of [0, 1]) {
      const at = new Date(Date.UTC(2026, 2, 1 + days, 12));
      vi.useFakeTimers({ now: at });
      const headers = headersAt(at);
      expect(new Webhook(secret).verify(body.toString(), headers)).toMatchObject({ type: 'payment.succeeded' });
      expect(unwrap(headers)).toMatchObject({ type: 'payment.succeeded' });
    }
  });

  it('of the first attempt is refused a day later, so every retry is signed again', () => {
    const headers = headersAt(new Date(Date.UTC(2026, 2, 1)));
    vi.useFakeTimers({ now: new Date(Date.UTC(2026, 2, 2)) });
    expect(() => unwrap(headers)).toThrow('Message timestamp too old');
  });

  it('is refused when a byte of the body, the id or the time is changed', () => {
    vi.useFakeTimers({ now: new Date() });
    const headers = headersAt(new Date());
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature found');
    expect(() => unwrap({ ...headers, 'webhook-id': 'evt_2' })).toThrow('No matching signature found');
    expect(() =>
      unwrap({ ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }),
    ).toThrow();
  });

  it('is verified by both secrets for 24 hours after a rotation, then by the new one only', () => {
    const fields = {
      url: 'https://a.example.com',
      description: '',
      filterTypes: null,
      headers: {},
      metadata: {},
      rateLimit: null,
      isDisabled: false,
    };
    const endpoint = createEndpoint(fields, { id: 'whk_1', now: '2026-03-01T00:00:00.000Z', secret });
    const next = toSecret(world.randomBytes(32));
    const rotated = rotateSecret(endpoint, next, new Date('2026-03-01T12:00:00.000Z'));
    const verifiesAt = (at: string, key: string) => {
      vi.useFakeTimers({ now: new Date(at) });
      const headers = headersAt(new Date(at), signingSecrets(rotated, new Date(at)));
      try {
        return unwrap(headers, key) !== undefined;
      } catch {
        return false;
      }
    };
    expect(verifiesAt('2026-03-02T11:59:59.000Z', secret)).toBe(true);
    expect(verifiesAt('2026-03-02T12:00:01.000Z', secret)).toBe(false);
    expect(verifiesAt('2026-03-02T11:59:59.000Z', next)).toBe(true);
    expect(verifiesAt('2026-03-09T12:00:00.000Z', next)).toBe(true);
  });

  it('from the sandbox is refused with every secret of the live stack', () => {
    vi.useFakeTimers({ now: new Date() });
    const headers = headersAt(new Date());
    expect(() => unwrap(headers, toSecret(world.randomBytes(32)))).toThrow('No matching signature found');
  });

  it('needs a random secret: 1,000 new ones are all different and have 32 bytes', () => {
    const secrets = new Set(Array.from({ length: 1_000 }, () => toSecret(world.randomBytes(32))));
    expect(secrets.size).toBe(1_000);
    for (const one of secrets) expect(Buffer.from(one.replace('whsec_', ''), 'base64')).toHaveLength(32);
  });

  it('covers ids without dots, so the signed text can be read in only one way', () => {
    const ids = Array.from({ length: 10_000 }, () => world.newId('evt'));
    expect(ids.every((id) => /^evt_[A-Za-z0-9]{21}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(10_000);
  });
});
