import { chmodSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorAdvice } from '../../../infra/commands/integrator/advice.ts';
import { userEnvironment } from '../../../infra/commands/integrator/environment.ts';
import { tillstack } from '../../../infra/commands/integrator/tillstack.ts';
import { suggestionsFor } from '../../../infra/commands/kit/completion.ts';
import { errorCodes, ruleOf } from '../../../shared/http/problem.ts';
import { runWords, temporaryFolder } from './command-line.ts';

const key = `sk_test_${'k'.repeat(32)}`;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const run = (args: string[], options: Parameters<typeof runWords>[1] = {}) =>
  runWords(args, { environment: { profilesFile: folder.profilesFile }, ...options });

describe('the help of the integrator’s command', () => {
  it('names every command', async () => {
    const { code, out } = await run([]);
    expect(code).toBe(0);
    for (const { name } of tillstack.commands) expect(out).toContain(`  ${name}`);
  });

  it.each(tillstack.commands.map((command) => [command.name, command] as const))(
    'explains the command %s',
    async (name, command) => {
      const { code, out } = await run([...name.split(' '), '--help']);
      expect(code).toBe(0);
      for (const option of Object.keys(command.options ?? {})) expect(out).toContain(`--${option}`);
      for (const example of command.examples) expect(out).toContain(example);
      expect(out).not.toContain('npx tillstack');
    },
  );
});

describe('a wrong command line', () => {
  it.each([
    [['paymnts'], 'There is no command "paymnts"'],
    [['payments'], 'After "payments" comes one of: payments list, payments get, payments list-line-items'],
    [['payments', 'get'], 'payments get needs <payment>.'],
    [['payments', 'get', 'pay_1', 'pay_2'], 'payments get does not take "pay_2".'],
    [['payments', 'list', '--colour', 'red'], "Unknown option '--colour'."],
    [['payments', 'list', '--status', 'paid'], '--status must be one of processing'],
    [['payments', 'list', '--since', 'yesterday'], '--since must be a span'],
    [['payments', 'list', '--limit', 'many'], '--limit must be a whole number'],
    [['completion', 'csh'], '<shell> must be one of bash, zsh, fish'],
  ])('ends with exit code 2 and a message with the right usage: %j', async (args, message) => {
    const environment = { url: 'http://localhost:9', key };
    const { code, error } = await runWords(args, { environment });
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('the account of a command', () => {
  it('is missing at first, and the message says how to connect', async () => {
    const { code, error } = await run(['payments', 'list']);
    expect([code, error]).toEqual([2, expect.stringContaining('profile set --url')]);
  });

  it.each([{ url: 'http://localhost:9' }, { key }])('needs both environment variables: %j', async (environment) => {
    const { code, error } = await runWords(['payments', 'list'], { environment });
    expect([code, error]).toEqual([2, expect.stringContaining('is not set')]);
    expect(error).not.toContain(key);
  });

  it.each([
    ['http://shop.example', 'must begin with https://'],
    ['https://user:pass@shop.example', 'must not have a user'],
    ['shop.example', 'is not an address'],
  ])('is never sent to the address %s', async (url, message) => {
    const { code, error } = await runWords(['payments', 'list'], { environment: { url, key } });
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('makes the command end with exit code 4 if the server does not answer', async () => {
    const { code, error } = await runWords(['listen'], { environment: { url: 'http://localhost:9', key } });
    expect([code, error]).toEqual([4, expect.stringContaining('http://localhost:9 does not answer')]);
  });

  it('is saved in a file for its user only, listed without its key, and removed', async () => {
    expect(await run(['profile', 'set', '--url', 'https://pay.example/'], { secret: key })).toMatchObject({ code: 0 });
    expect(statSync(folder.profilesFile).mode & 0o777).toBe(0o600);
    const listed = await run(['profile', 'list']);
    expect(listed.out).toMatch(/default +sandbox +https:\/\/pay\.example\n/);
    expect(listed.out).not.toContain(key);
    expect(await run(['profile', 'remove', 'default'])).toMatchObject({ code: 0 });
    expect((await run(['profile', 'list'])).out).toBe('No profile is saved.\n');
  });

  it('is not read from a file that other users can read', async () => {
    await run(['profile', 'set', 'open', '--url', 'https://pay.example'], { secret: key });
    chmodSync(folder.profilesFile, 0o640);
    const { code, error } = await run(['payments', 'list', '--profile', 'open']);
    expect([code, error]).toEqual([2, expect.stringContaining('chmod 600')]);
  });

  it('is not saved with an invalid key, and the message does not repeat that key', async () => {
    const { code, error } = await run(['profile', 'set', '--url', 'https://pay.example'], { secret: 'hunter2' });
    expect([code, error]).toEqual([2, expect.not.stringContaining('hunter2')]);
  });

  it('is read from the named profile first, then from the environment', async () => {
    const environment = { url: 'http://localhost:9', key, profilesFile: folder.profilesFile };
    const { code, error } = await runWords(['payments', 'list', '--profile', 'none'], { environment });
    expect([code, error]).toEqual([2, expect.stringContaining('There is no profile none')]);
  });

  it('is read from the user’s config folder', () => {
    expect(userEnvironment({ XDG_CONFIG_HOME: '/config', TILLSTACK_URL: '' })).toMatchObject({
      url: undefined,
      profilesFile: '/config/tillstack/profiles.json',
    });
  });
});

describe('completion', () => {
  const words = (typed: string[], begun = '') => suggestionsFor(tillstack, typed, begun).map(({ word }) => word);

  it('suggests commands, their parts, options and values', () => {
    expect(words([], 'pa')).toEqual(['payments', 'payouts']);
    expect(words(['payments'])).toEqual(['list', 'get', 'list-line-items', 'get-calculation']);
    expect(words(['payments', 'list'], '--s')).toEqual(['--since', '--status', '--subscription-id']);
    expect(words(['payments', 'list', '--status'], 'suc')).toEqual(['succeeded']);
    expect(words(['trigger'], 'refund.')).toEqual(['refund.succeeded', 'refund.failed', 'refund.delayed']);
    expect(words(['trigger', '--country', 'DE'], 'payment.s')).toEqual(['payment.succeeded']);
    expect(words(['payments', 'list', '--json'], '--j')).toEqual([]);
  });

  it('returns the words that a shell can complete, with a description of each', async () => {
    const { out } = await run(['complete', 'events', 're']);
    expect(out).toBe('resend\tSend an event again.\n');
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that defines the command', async (shell) => {
    const { out } = await run(['completion', shell]);
    expect(out).toContain('tillstack.ts');
    expect(out).toContain('complete');
  });
});

describe('the advice after an error', () => {
  it('exists for each error code of the API, and for no other code', () => {
    const ours = errorCodes.map((code) => `${ruleOf(code).status} ${ruleOf(code).code ?? code}`);
    expect(errorAdvice.map(({ status, code }) => `${status} ${code}`).sort()).toEqual([...new Set(ours)].sort());
  });
});
