import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { redact } from '../shared/log.ts';
import { growthOf, linear } from './support/cpu.ts';

describe('a log line', () => {
  it('reaches the standard output as it is, whatever is made of the console', () => {
    const log = new URL('../shared/log.ts', import.meta.url).href;
    const program = `console.log = console.info = () => { throw new Error('wrapped'); };
      const { logInfo } = await import('${log}'); logInfo('request', { status: 200 });`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect(stdout).toBe('{"level":"info","message":"request","status":200}\n');
  });

  it('keeps the paths of a stack, also those of packages with a scope', () => {
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
  ])('has no e-mail address: %s', (address) => {
    const name = address.split('@')[0]?.split(/['/]/).at(-1) ?? '';
    const line = redact(`{"reason":"No mail to ${address}, or <${address}>"}`);
    expect(line).not.toContain('@');
    expect(line).not.toContain(name);
  });

  it('has no key, no signing secret and no card number', () => {
    expect(redact('sk_test_abc123 whsec_abc+/= 4242 4242 4242 4242 4242424242424242')).toBe(
      'sk_test_[redacted] whsec_[redacted] [number] [number]',
    );
  });

  it.each(['a', 'a.', '1 ', '1', '@', 'a@', 'a@b', 'sk_test_', '/@'])(
    'of nothing but %j is redacted at a cost that grows as its length does',
    async (unit) => {
      expect(await growthOf((length) => unit.repeat(length / unit.length), redact, 100_000)).toBeLessThan(linear);
    },
  );
});
