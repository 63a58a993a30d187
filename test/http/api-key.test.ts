import { describe, expect, it } from 'vitest';
import { localKey } from '../../infra/local/local-key.ts';
import type { ApiKey } from '../../shared/domain/access/api-key.ts';
import type { Stage } from '../../shared/domain/merchant.ts';
import { formatApiKey, hashApiKey, stageOfKey } from '../../shared/http/api-key.ts';
import { authenticate } from '../../shared/http/authentication.ts';
import { randomText } from '../../shared/wiring/runtime.ts';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an API key', () => {
  it('consists of a prefix for live or test mode, 32 letters or digits and a checksum of six', () => {
    expect(formatApiKey('sandbox', 'x'.repeat(32))).toMatch(/^sk_test_x{32}[A-Za-z0-9]{6}$/);
    expect(formatApiKey('live', 'x'.repeat(32))).toMatch(/^sk_live_x{32}[A-Za-z0-9]{6}$/);
    expect(stageOfKey(formatApiKey('sandbox', 'x'.repeat(32)))).toBe('sandbox');
    expect(stageOfKey(formatApiKey('live', 'x'.repeat(32)))).toBe('live');
    expect(stageOfKey(localKey)).toBe('sandbox');
  });

  it('is unique, and so is its hash, in 10 000 generated keys', () => {
    const keys = Array.from({ length: 10_000 }, () => formatApiKey('sandbox', randomText(32)));
    expect(new Set(keys).size).toBe(10_000);
    expect(new Set(keys.map(hashApiKey)).size).toBe(10_000);
  });

  it('is recognized as mistyped when any single character is wrong', () => {
    const key = formatApiKey('sandbox', 'K7fQ2mZx0Lr9Tb4Wc8Ya1Nd6Ve3Hs5Jp');
    const edits = [...key].flatMap((original, at) =>
      [...letters, '_', '-']
        .filter((letter) => letter !== original)
        .map((letter) => key.slice(0, at) + letter + key.slice(at + 1)),
    );
    expect(edits.length).toBeGreaterThan(46 * 62); // 46 places, 64 characters
    expect(edits.filter((edit) => stageOfKey(edit) !== undefined)).toEqual([]);
  });

  it('is recognized as mistyped when two neighbouring characters are swapped, or one is missing or doubled', () => {
    const key = formatApiKey('live', 'K7fQ2mZx0Lr9Tb4Wc8Ya1Nd6Ve3Hs5Jp');
    for (let at = 0; at < key.length - 1; at += 1) {
      const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
      if (swapped !== key) expect(stageOfKey(swapped)).toBeUndefined();
      expect(stageOfKey(key.slice(0, at) + key.slice(at + 1))).toBeUndefined();
      expect(stageOfKey(key.slice(0, at) + key[at] + key.slice(at))).toBeUndefined();
    }
  });

  it.each([
    '',
    'sk_test_',
    'sk_test_x',
    ` ${localKey}`,
    `${localKey} `,
    `${localKey}\n`,
    localKey.toUpperCase(),
    localKey.replace('sk_', 'pk_'),
  ])('is not recognized in %j', (text) => {
    expect(stageOfKey(text)).toBeUndefined();
  });
});

describe('a caller of the API', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const key = formatApiKey('sandbox', 'a'.repeat(32));
  const stored: ApiKey = {
    hash: hashApiKey(key),
    name: 'Shop',
    lastFour: key.slice(-4),
    access: 'write',
    refunds: null,
    createdBy: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
  };

  const call = (
    authorization: string | undefined,
    { access = 'read' as 'read' | 'write', stage = 'sandbox' as Stage, row = stored as ApiKey | null } = {},
  ) => {
    const reads: string[] = [];
    const find = async (hash: string) => {
      reads.push(hash);
      return row?.hash === hash ? row : undefined;
    };
    const answer = authenticate(authorization, access, { keys: { find }, stage, now });
    return {
      reads,
      answer: answer.then(
        (found) => found.hash,
        (error) => error.code as string,
      ),
    };
  };

  it.each([`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`])(
    'is recognized by %s in the header',
    async (authorization) => {
      await expect(call(authorization).answer).resolves.toBe(stored.hash);
      await expect(call(authorization, { access: 'write' }).answer).resolves.toBe(stored.hash);
    },
  );

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['another scheme', `Basic ${key}`],
    ['the key alone', key],
    ['two keys', `Bearer ${key} ${key}`],
    ['a mistyped key', `Bearer ${key.slice(0, -1)}x`],
  ])('is refused with %s, without a read of the table', async (_, authorization) => {
    const { answer, reads } = call(authorization);
    await expect(answer).resolves.toBe('UNAUTHORIZED');
    expect(reads).toEqual([]);
  });

  it.each([
    ['an unknown key', null],
    ['a revoked one', { ...stored, revokedAt: '2026-02-01T00:00:00.000Z' }],
    ['one that is revoked from tomorrow on', { ...stored, revokedAt: '2026-03-02T00:00:00.000Z' }],
    ['one that has just expired', { ...stored, expiresAt: '2026-03-01T12:00:00.000Z' }],
  ])('is refused with %s', async (_, row) => {
    await expect(call(`Bearer ${key}`, { row }).answer).resolves.toBe('UNAUTHORIZED');
  });

  it('is accepted until the last millisecond before the key expires', async () => {
    const row = { ...stored, expiresAt: '2026-03-01T12:00:00.001Z' };
    await expect(call(`Bearer ${key}`, { row }).answer).resolves.toBe(stored.hash);
  });

  it('can read but not write with a read-only key', async () => {
    const row = { ...stored, access: 'read' as const };
    await expect(call(`Bearer ${key}`, { row }).answer).resolves.toBe(stored.hash);
    await expect(call(`Bearer ${key}`, { row, access: 'write' }).answer).resolves.toBe('FORBIDDEN');
  });

  it.each([
    ['sandbox', 'live', /live mode.*test mode.*sk_test_/],
    ['live', 'sandbox', /test mode.*live mode.*sk_live_/],
  ] as const)(
    'of a %s stack with a %s key gets an error that names both modes, without a read of the table',
    async (stage, keyStage, message) => {
      const other = formatApiKey(keyStage, 'b'.repeat(32));
      const { answer, reads } = call(`Bearer ${other}`, { stage });
      await expect(answer).resolves.toBe('WRONG_MODE');
      expect(reads).toEqual([]);
      const deps = { keys: { find: async () => undefined }, stage, now };
      await expect(authenticate(`Bearer ${other}`, 'read', deps)).rejects.toThrow(message);
    },
  );
});
