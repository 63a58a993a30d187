import { spawn } from 'node:child_process';
import { lookup as resolve } from 'node:dns';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type LookupFunction } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, setGlobalDispatcher } from 'undici';
import { type Environment, quoted, root, runLine } from './command.ts';
import { installPython } from './python.ts';

/**
 * An AWS emulator on this machine. It enforces IAM, uses TLS for everything, and runs functions with this repository's
 * Node 24.
 */
export interface Emulator {
  /** Environment variables with which AWS's tools find the emulator, and no real account. */
  environment: Environment;
  /** A file with the same variables as shell commands. With it, curl and our commands also find the API. */
  environmentFile: string;
  /** Makes one call to its AWS API as the owner of the account. */
  call(service: string, operation: string, input: object): Promise<unknown>;
  /** Runs a script that is beside this file, and returns the JSON that it prints. */
  python(script: string, args: readonly string[]): Promise<unknown>;
  stop(): Promise<void>;
}

const region = 'eu-central-1';
/** The credentials of the emulated account's owner. They are public, and open nothing real. */
const owner = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
const home = join(root, '.data/emulator');
const python = join(home, 'python');
const fileBeside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * Installs the emulator if it is missing, and starts it on a free port of this machine. The functions get its
 * environment. In this run, it only allows webhooks to this machine and contains the address of the fake Stripe. The
 * emulator runs outside the repository, because the `type` in `package.json` would change how the bundles are loaded.
 */
export async function startEmulator(variables: Environment = {}): Promise<Emulator> {
  const interpreter = await installPython(python, fileBeside('requirements.txt'));
  const port = await freePort();
  const run = mkdtempSync(join(tmpdir(), 'tillstack-emulator-'));
  const { certificate, key } = await certify(run);
  const server = launch(interpreter, run, {
    ...{ GATEWAY_PORT: String(port), BIND_HOST: '127.0.0.1', MINISTACK_HOST: 'localhost' },
    ...{ MINISTACK_REGION: region, AWS_DEFAULT_REGION: region, ...owner, AUTH: 'true' },
    ...{ USE_SSL: '1', MINISTACK_SSL_CERT: certificate, MINISTACK_SSL_KEY: key },
    ...{ STATE_DIR: join(run, 'state'), S3_DATA_DIR: join(run, 's3'), TMPDIR: run, ALLOW_LOOPBACK_WEBHOOKS: 'true' },
    ...variables,
  });
  const url = `https://127.0.0.1:${port}`;
  findItsNames(certificate);
  await answers(`${url}/_ministack/health`, server);
  const environment = environmentOf(url, certificate);
  const ask = async (script: string, args: readonly string[]): Promise<unknown> => {
    const words = [interpreter, fileBeside(script), ...args];
    return JSON.parse(await runLine(words.map(quoted).join(' '), environment));
  };
  return {
    environment,
    environmentFile: writeEnvironment(environment),
    call: (service, operation, input) => ask('call.py', [service, operation, JSON.stringify(input)]),
    python: ask,
    stop: async () => {
      await server.stop();
      rmSync(run, { recursive: true, force: true });
    },
  };
}

const environmentOf = (url: string, certificate: string): Environment => ({
  AWS_ENDPOINT_URL: url,
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  ...owner,
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_CA_BUNDLE: certificate,
  NODE_EXTRA_CA_CERTS: certificate,
});

/**
 * The variable that makes Node resolve the names of the emulated API. The file is given as a URL, because Node splits
 * this variable at spaces.
 */
export const names = { NODE_OPTIONS: `--import=${new URL('names.mjs', import.meta.url).href}` };

function writeEnvironment(environment: Environment): string {
  const file = join(home, 'environment');
  const forShells = { ...environment, ...names, CURL_CA_BUNDLE: environment['AWS_CA_BUNDLE'] ?? '' };
  const lines = Object.entries(forShells).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Creates a certificate for this machine's names. It is valid for a week, and only this run trusts it. */
async function certify(folder: string): Promise<{ certificate: string; key: string }> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const names = 'subjectAltName=DNS:localhost,DNS:*.execute-api.localhost,IP:127.0.0.1';
  const options = `-x509 -newkey rsa:2048 -nodes -days 7 -subj /CN=emulator -addext ${names} -addext basicConstraints=CA:FALSE`;
  await runLine(`openssl req ${options} -keyout ${quoted(key)} -out ${quoted(certificate)}`, {});
  return { certificate, key };
}

interface Server {
  hasEnded(): boolean;
  log: string;
  stop(): Promise<void>;
}

/** Starts the emulator as a process group, so that its child processes can be stopped together with it. */
function launch(interpreter: string, run: string, variables: Environment): Server {
  const log = join(run, 'emulator.log');
  const output = openSync(log, 'w');
  const path = `${join(root, 'node_modules/node/bin')}:/usr/bin:/bin`;
  const env = { HOME: homedir(), PATH: path, ...variables };
  const child = spawn(interpreter, [fileBeside('emulator.py')], {
    env,
    cwd: run,
    detached: true,
    stdio: ['ignore', output, output],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // The process group has already ended.
    }
  };
  return {
    log,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      signal('SIGTERM');
      await Promise.race([ended, pause(5_000)]);
      signal('SIGKILL');
    },
  };
}

/**
 * Makes this process resolve names that end with `.localhost` to this machine (RFC 6761), which not every resolver
 * does. It also trusts the certificate.
 */
function findItsNames(certificate: string): void {
  const lookup: LookupFunction = (host, options, callback) =>
    resolve(host.endsWith('.localhost') ? '127.0.0.1' : host, options, callback);
  setGlobalDispatcher(new Agent({ connect: { ca: readFileSync(certificate, 'utf8'), lookup } }));
}

async function answers(url: string, server: Server): Promise<void> {
  for (let tries = 0; tries < 150 && !server.hasEnded(); tries += 1) {
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await pause(200);
  }
  await server.stop();
  throw new Error(`The emulator did not start:\n${readFileSync(server.log, 'utf8').slice(-2_000)}`);
}
