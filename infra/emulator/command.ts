import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, in which commands run. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Environment variables that could lead AWS's tools to a real account, or past the emulator's certificate. */
const misleading = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_DEFAULT_PROFILE', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];

export type Environment = Readonly<Record<string, string>>;

/** Thrown if a command failed. It contains the whole output. */
export class CommandError extends Error {
  constructor(command: string, outcome: string, output: string) {
    super(`${command}\nended with ${outcome}:\n${output.trimEnd().split('\n').slice(-40).join('\n')}`);
    this.name = 'CommandError';
  }
}

const maxCommandMs = 600_000;

/**
 * Runs a command line with bash in the repository's folder. Returns its standard output and its error output together.
 */
export async function runLine(line: string, environment: Environment): Promise<string> {
  const unset = misleading.flatMap((name) => ['-u', name]);
  const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const args = [...unset, ...set, 'bash', '-c', `export PATH="${root}node_modules/.bin:$PATH"; ${line}`];
  const child = spawn('env', args, { cwd: root, timeout: maxCommandMs, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const channel of [child.stdout, child.stderr]) channel.on('data', (chunk: Buffer) => said.push(chunk));
  const [code, signal] = await once(child, 'close');
  const output = Buffer.concat(said).toString();
  if (code === 0) return output;
  throw new CommandError(line, signal ? `signal ${signal}` : `exit code ${code}`, output);
}

/** Quotes any text as one word for the shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
