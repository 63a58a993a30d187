import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../shared/domain/errors.ts';
import { edge, noteCaller } from '../shared/http/edge.ts';
import { logSink, redact } from '../shared/log.ts';
import { growthOf, linear } from './support/cpu.ts';

describe('a log line', () => {
  it('reaches the standard output unchanged, even if the console is replaced', () => {
    const log = new URL('../shared/log.ts', import.meta.url).href;
    const program = `console.log = console.info = () => { throw new Error('wrapped'); };
      const { logInfo } = await import('${log}'); logInfo('request', { status: 200 });`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect(stdout).toBe('{"level":"info","message":"request","status":200}\n');
  });

  it('keeps the file paths of a stack trace, also those of scoped packages', () => {
    const stack = [
      'Error: no',
      '    at run (/var/task/node_modules/@middy/core/index.js:97:20)',
      '    at async file:///srv/node_modules/@aws-sdk/client-dynamodb/dist-cjs/index.js:12:3',
      '    at C:\\srv\\node_modules\\@smithy\\core\\dist\\index.js:1:1',
      '    at handler (/var/task/index.js:1:2)',
    ].join('\n');
    expect(redact(JSON.stringify({ stack }))).toBe(JSON.stringify({ stack }));
  });

  it.each([
    'ada@example.com',
    'a.b+c@mail.example.co.uk',
    "o'hara@example.com",
    'x/y@example.com',
    'ada@müller.example',
  ])('contains no e-mail address: %s', (address) => {
    const name = address.split('@')[0]?.split(/['/]/).at(-1) ?? '';
    const line = redact(`{"reason":"No mail to ${address}, or <${address}>"}`);
    expect(line).not.toContain('@');
    expect(line).not.toContain(name);
  });

  it('contains no key, no signing secret and no card number', () => {
    expect(redact('sk_test_abc123 whsec_abc+/= 4242 4242 4242 4242 4242424242424242')).toBe(
      'sk_test_[redacted] whsec_[redacted] [number] [number]',
    );
  });

  it.each(['a', 'a.', '1 ', '1', '@', 'a@', 'a@b', 'sk_test_', '/@'])(
    'that consists only of %j is redacted in a time proportional to its length',
    async (unit) => {
      expect(await growthOf((length) => unit.repeat(length / unit.length), redact, 100_000)).toBeLessThan(linear);
    },
  );
});

describe('the log line of a refused request', () => {
  const id = 'a'.repeat(21);
  const handler = edge({
    answer: (event) => {
      noteCaller(event, { hash: 'b'.repeat(64) });
      throw new DomainError('NOT_FOUND', 'no');
    },
    refuse: () => ({ statusCode: 404, headers: {}, body: '' }),
  });

  async function lineOf(pathParameters: Record<string, string>): Promise<Record<string, unknown>> {
    const lines: string[] = [];
    const { write } = logSink;
    logSink.write = (line) => void lines.push(line);
    const event = { routeKey: 'GET /x', headers: {}, requestContext: { requestId: 'request-1' }, pathParameters };
    await handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
    logSink.write = write;
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0] ?? '');
  }

  it('contains the key’s id and every id of the path, each under a fixed field name', async () => {
    expect(await lineOf({ id: `pay_${id}`, endpoint: `whk_${id}`, event: `evt_${id}` })).toEqual({
      level: 'info',
      message: 'request',
      request_id: 'request-1',
      route: 'GET /x',
      payment_id: `pay_${id}`,
      endpoint_id: `whk_${id}`,
      event_id: `evt_${id}`,
      key_id: `key_${'b'.repeat(21)}`,
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  it('contains no other part of the path, because the caller can write anything there', async () => {
    const named = await lineOf({ id: 'Ada Lovelace', other: `doc_${id}`, third: `pay_${id} Ada` });
    expect(Object.keys(named)).toEqual(['level', 'message', 'request_id', 'route', 'key_id', 'status', 'code']);
  });
});

it('log lines use one fixed name for each kind of id', () => {
  const calls = globSync('{shared,functions}/**/*.ts').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\b(?:log(?:Info|Warn|Error)|deps\.alert|report)\((?:[^()]|\([^()]*\))*\)/g,
      ),
    ].map(([call]) => `${file}: ${call}`),
  );
  expect(calls.length).toBeGreaterThan(20);
  expect(
    calls.filter((call) =>
      /(?<![.\w]|: )(?:payment|session|refund|event|endpoint|key|dispute|customer)Id\b *[:,}]/.test(call),
    ),
  ).toEqual([]);
});
