import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LocalParameters, startParameters } from '../../../infra/local-aws/parameters.ts';
import { callParameterStore, ParameterStoreError } from '../../../shared/outside/parameters/parameter-store.ts';
import { readSecret, rememberedSecret, removeSecrets, writeSecret } from '../../../shared/outside/parameters/secret.ts';

let store: LocalParameters;
beforeAll(async () => {
  store = await startParameters();
});
afterAll(() => store.stop());
beforeEach(() => store.values.clear());

const credentials = { accessKeyId: 'AKIDOFATEST', secretAccessKey: 'of a test', sessionToken: 'session' };
const access = () => ({ region: 'eu-central-1', endpoint: store.url, credentials: async () => credentials });
const name = '/tillstack/demo/sandbox/stripe/key';

describe('a secret', () => {
  it('has the value that was written last, and is missing before it is written and after it is removed', async () => {
    expect(await readSecret(access(), name)).toBeUndefined();
    await writeSecret(access(), name, 'rk_test_first');
    await writeSecret(access(), name, 'rk_test_second');
    expect(await readSecret(access(), name)).toBe('rk_test_second');
    await removeSecrets(access(), [name, `${name}-that-is-not-there`]);
    expect(await readSecret(access(), name)).toBeUndefined();
  });

  it('is requested decrypted, with Lambda’s credentials, at the address of the region', async () => {
    const asked: [URL, RequestInit][] = [];
    vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
      asked.push([url, init]);
      return new Response(JSON.stringify({ Parameter: { Name: name, Value: 'rk_live_1' } }));
    });
    expect(await readSecret({ ...access(), endpoint: undefined }, name)).toBe('rk_live_1');
    expect(await readSecret({ ...access(), region: 'cn-north-1', endpoint: undefined }, name)).toBe('rk_live_1');
    vi.unstubAllGlobals();
    expect(asked.map(([url]) => url.href)).toEqual([
      'https://ssm.eu-central-1.amazonaws.com/',
      'https://ssm.cn-north-1.amazonaws.com.cn/',
    ]);
    const [, { headers, body }] = asked[0]!;
    expect(JSON.parse(String(body))).toEqual({ Name: name, WithDecryption: true });
    expect(headers).toMatchObject({
      'x-amz-target': 'AmazonSSM.GetParameter',
      'x-amz-security-token': 'session',
      authorization: expect.stringContaining('Credential=AKIDOFATEST/'),
    });
  });

  it('that cannot be read causes an error with the reason, and never with a value', async () => {
    const refused = callParameterStore(access(), 'PutParameter', { Name: 'no path', Value: 'rk_live_secret' });
    await expect(refused).rejects.toThrow('The parameter store did not do PutParameter: ValidationException.');
    await expect(refused).rejects.toBeInstanceOf(ParameterStoreError);
    await refused.catch((error: Error) => expect(error.stack).not.toContain('rk_live_secret'));
  });

  it.each([
    { fault: 'it does not answer', answer: () => Promise.reject(new TypeError('fetch failed')), attempts: 3 },
    { fault: 'it is throttled', answer: async () => faultOf('ThrottlingException'), attempts: 3 },
    { fault: 'it may not be read', answer: async () => faultOf('AccessDeniedException'), attempts: 1 },
  ])('is requested $attempts times if $fault', async ({ answer, attempts }) => {
    const asked = vi.fn(answer);
    vi.stubGlobal('fetch', asked);
    await expect(readSecret(access(), name)).rejects.toBeInstanceOf(ParameterStoreError);
    vi.unstubAllGlobals();
    expect(asked).toHaveBeenCalledTimes(attempts);
  });
});

const faultOf = (type: string): Response => new Response(JSON.stringify({ __type: type }), { status: 400 });

describe('a cached secret', () => {
  const remembering = (answers: (string | Error)[]) => {
    let at = Date.parse('2026-11-22T10:00:00.000Z');
    let reads = 0;
    const read = async () => {
      const answer = answers[reads] ?? answers.at(-1) ?? '';
      reads += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const forward = (minutes: number) => {
      at += minutes * 60_000;
    };
    return { secret: rememberedSecret({ read, now: () => new Date(at) }), forward, reads: () => reads };
  };

  it('is read once in five minutes, even with many requests at once', async () => {
    const { secret, forward, reads } = remembering(['first', 'second']);
    expect(await Promise.all([secret(), secret(), secret()])).toEqual(['first', 'first', 'first']);
    forward(4.9);
    expect([await secret(), reads()]).toEqual(['first', 1]);
    forward(0.2);
    expect([await secret(), reads()]).toEqual(['second', 2]);
  });

  it('is read again at once when the caller requests a fresh value', async () => {
    const { secret } = remembering(['first', 'second']);
    expect([await secret(), await secret(true), await secret()]).toEqual(['first', 'second', 'second']);
  });

  it('is still used while the store is down, but not after it was removed', async () => {
    const { secret, forward } = remembering([
      'first',
      new ParameterStoreError('GetParameter', 'down'),
      new Error('not set'),
    ]);
    await secret();
    forward(6);
    expect(await secret()).toBe('first');
    await expect(secret()).rejects.toThrow('not set');
  });

  it('is not cached when the read fails', async () => {
    const { secret } = remembering([new Error('not set'), 'first']);
    await expect(secret()).rejects.toThrow('not set');
    expect(await secret()).toBe('first');
  });
});
