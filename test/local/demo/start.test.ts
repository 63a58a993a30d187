import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { listenOnLoopback } from '../../../infra/local-aws/loopback-server.ts';

const withFakes = ['--import', './test/local/demo/fake-functions.ts'];

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Runs a script as the shell would; the output is collected. */
function run(args: string[]) {
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child = started;
  const output = { text: '' };
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (chunk) => {
      output.text += chunk;
    });
  const ended = once(started, 'close').then(([exitCode]) => exitCode);
  return { started, output, ended };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

describe('npm start', () => {
  it('ends with exit code 2 and its usage on unknown arguments', async () => {
    const { output, ended } = run(['infra/local/demo/start.ts', '--prot', '1']);
    expect(await ended).toBe(2);
    expect(output.text).toMatch(/Unknown option '--prot'[\s\S]*Usage: npm start/);
  });

  it('ends with exit code 1 and a message of one line if the port is in use', async () => {
    const other = await listenOnLoopback(() => {});
    const { output, ended } = run(['infra/local/demo/start.ts', '--port', String(other.port)]);
    expect(await ended).toBe(1);
    expect(output.text).toBe(`Port ${other.port} is in use. Choose another one with --port.\n`);
    await other.close();
  });

  it('prints links, and at Ctrl-C, even pressed twice, stops everything and ends with exit code 0', async () => {
    const { started, output, ended } = run([...withFakes, 'infra/local/demo/start.ts', '--port', '0']);
    await vi.waitFor(() => expect(output.text).toContain('Webhooks appear here:'), 20_000);
    const url = /runs at (\S+)\. /.exec(output.text)?.[1] ?? '';
    expect(output.text).toContain(`${url}/checkout/cks_1`);
    expect(output.text).toContain(`curl -H 'Authorization: Bearer ${localKey}' ${url}/payments`);
    const { table } = (await (await fetch(url)).json()) as { table: string };
    expect(await answers(table)).toBe(true);
    expect(output.text).toContain(`--endpoint-url ${table}`);
    started.kill('SIGINT');
    started.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(await answers(url)).toBe(false);
    expect(await answers(table)).toBe(false);
  });

  it('with --empty starts with a key, but without products, orders and webhook endpoint', async () => {
    const { started, output, ended } = run(['infra/local/demo/start.ts', '--port', '0', '--empty']);
    await vi.waitFor(() => expect(output.text).toContain('This shop is bare'), 20_000);
    const url = /runs at (\S+)\. /.exec(output.text)?.[1] ?? '';
    const headers = { authorization: `Bearer ${localKey}` };
    const read = async (path: string) => (await fetch(url + path, { headers })).json();
    for (const path of ['/products', '/payments', '/discounts']) expect(await read(path)).toMatchObject({ items: [] });
    expect(await read('/webhooks')).toMatchObject({ data: [] });
    expect(output.text).not.toMatch(/WELCOME10|Webhooks appear here/);
    started.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('leaves a shop in --data bare that began bare, also without --empty', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillstack-bare-'));
    const starts = ['infra/local/demo/start.ts', '--port', '0', '--data', folder];
    for (const more of [['--empty'], []]) {
      const { started, output, ended } = run([...starts, ...more]);
      await vi.waitFor(() => expect(output.text).toContain('This shop is bare'), 20_000);
      const url = /runs at (\S+)\. /.exec(output.text)?.[1] ?? '';
      const headers = { authorization: `Bearer ${localKey}` };
      for (const path of ['/products', '/discounts'])
        expect(await (await fetch(url + path, { headers })).json()).toMatchObject({ items: [] });
      started.kill('SIGINT');
      expect(await ended).toBe(0);
    }
    rmSync(folder, { recursive: true });
  });

  it('with --processor stripe prints and later stops the page of its simulated Stripe account', async () => {
    const args = [...withFakes, 'infra/local/demo/start.ts', '--port', '0', '--processor', 'stripe'];
    const { started, output, ended } = run(args);
    await vi.waitFor(() => expect(output.text).toContain('Webhooks appear here:'), 20_000);
    const account = /in the account of the Stripe that this machine plays:\n\s+(\S+)/.exec(output.text)?.[1] ?? '';
    expect(await (await fetch(account)).text()).toContain('No money moves.');
    expect(output.text).not.toMatch(/rk_test_|whsec_/);
    started.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(await answers(account)).toBe(false);
  });
});

describe('npm run demo', () => {
  it('buys through Stripe’s page, makes a refund, and compares Stripe’s ledger with our amounts', async () => {
    const { output, ended } = run(['infra/local/demo/demo.ts', '--processor', 'stripe']);
    expect([await ended, output.text]).toEqual([0, expect.stringContaining('Every figure is correct.')]);
    expect(output.text).toContain('Stripe’s ledger: paid €57.98, refunded €22.99');
  });
});
