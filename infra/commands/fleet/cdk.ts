import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RoleCredentials } from '../ops/context.ts';
import type { FleetStack } from './targets.ts';

/** The CDK's command line. Its output goes to a file of each stack. */
export interface Cdk {
  /** Writes the templates and the code of a stack to a folder. */
  synth(stack: FleetStack, to: CdkFiles): Promise<void>;
  /** Deploys what `synth` has written, with the web ACL of a protected stage. */
  deploy(stack: FleetStack, from: CdkFiles, credentials: RoleCredentials | undefined): Promise<void>;
}

export interface CdkFiles {
  /** The folder of the templates and the code. */
  assembly: string;
  log: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'node_modules/aws-cdk/bin/cdk');

/** The settings of the environment that would win over a role's credentials. */
const competing = ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE'];

function environmentOf(credentials: RoleCredentials | undefined): NodeJS.ProcessEnv {
  if (!credentials) return process.env;
  const others = Object.entries(process.env).filter(([name]) => !competing.includes(name));
  return {
    ...Object.fromEntries(others),
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
  };
}

async function runCdk(args: readonly string[], log: string, env: NodeJS.ProcessEnv): Promise<void> {
  mkdirSync(dirname(log), { recursive: true });
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, [cli, ...args], { cwd: root, env, stdio: ['ignore', output, output] });
  const [code] = await once(child, 'close').finally(() => closeSync(output));
  if (code === 0) return;
  const last = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  throw new Error(`"cdk ${args[0]}" failed. ${log} has all of it:\n${last}`);
}

/** One stack is synthesized at a time, because that takes a whole processor and writes files that all share. */
let lastSynth: Promise<unknown> = Promise.resolve();

export const realCdk: Cdk = {
  synth: ({ config, stage, folder }, { assembly, log }) => {
    const context = [`merchant=${config.merchant.id}`, `stage=${stage}`, `merchants=${folder}`];
    const args = ['synth', '--quiet', '--output', assembly, ...context.flatMap((one) => ['-c', one])];
    const synth = lastSynth.then(() => runCdk(args, log, process.env));
    lastSynth = synth.catch(() => {});
    return synth;
  },
  deploy: (_, { assembly, log }, credentials) =>
    runCdk(
      ['deploy', '--all', '--require-approval', 'never', '--progress', 'events', '--app', assembly],
      log,
      environmentOf(credentials),
    ),
};
