import { apiClient } from '../local/demo/api-client.ts';
import { quoted, runLine } from './command.ts';
import type { Emulator } from './emulator.ts';
import { say } from './say.ts';

/** A deployed stack, with the values from its outputs. */
export interface DeployedStack {
  name: string;
  publicUrl: string;
  tableName: string;
  bucketName: string;
}

/** Reads the outputs that `cdk deploy` prints: `tillstack-demo-sandbox.PublicUrl = https://…`. */
export function readOutputs(said: string): DeployedStack {
  const output = (name: string): { stack: string; value: string } => {
    const [, stack, value] = new RegExp(`^(\\S+)\\.${name} = (\\S+)$`, 'm').exec(said) ?? [];
    if (stack && value) return { stack, value };
    throw new Error(`cdk deploy printed no ${name}:\n${said.slice(-2_000)}`);
  };
  const { stack: name, value: publicUrl } = output('PublicUrl');
  return { name, publicUrl, tableName: output('TableName').value, bucketName: output('BucketName').value };
}

/** A merchant to deploy, and the directory of the merchant's file. By default, it is that of the repository. */
interface Deployment {
  merchant: string;
  merchants?: string;
  /** The folder of the sources to deploy. By default, it is the repository. */
  folder?: string;
}

/** The command line that runs in the folder of a deployment's sources. */
const within = ({ folder }: Deployment, line: string): string => (folder ? `cd ${quoted(folder)} && ${line}` : line);

const context = ({ merchant, merchants }: Deployment): string =>
  `-c merchant=${merchant} -c stage=sandbox${merchants ? ` -c merchants=${quoted(merchants)}` : ''}`;

export async function deploy(emulator: Emulator, deployment: Deployment): Promise<DeployedStack> {
  return readOutputs(await run(emulator, within(deployment, `npx cdk deploy ${context(deployment)}`)));
}

/** Destroys a stack as the runbook says. The bucket is emptied first. */
export async function destroy(emulator: Emulator, stack: DeployedStack, deployment: Deployment): Promise<void> {
  await emptyBucket(emulator, stack.bucketName);
  await run(emulator, `npx cdk destroy --force ${context(deployment)}`);
}

export async function createKey(emulator: Emulator, deployment: Deployment): Promise<string> {
  const line = `npm run --silent keys -- create --merchant ${deployment.merchant} --stage sandbox --name "First key" --access admin`;
  return keyIn(await run(emulator, within(deployment, line)));
}

/** The key in the output of a command. It is printed only once. */
export function keyIn(said: string): string {
  const [key] = /\bsk_test_\w+/.exec(said) ?? [];
  if (key) return key;
  throw new Error(`No key was printed:\n${said}`);
}

/** Prints a command line, then runs it. */
export function run(emulator: Emulator, line: string): Promise<string> {
  say(`$ ${line}`);
  return runLine(line, emulator.environment);
}

export const clientOf = ({ publicUrl }: DeployedStack, key: string) => apiClient(publicUrl, key);

interface Objects {
  Contents?: { Key: string }[];
}

async function emptyBucket(emulator: Emulator, bucket: string): Promise<void> {
  const { Contents: objects = [] } = (await emulator.call('s3', 'list_objects_v2', { Bucket: bucket })) as Objects;
  const Delete = { Objects: objects.map(({ Key }) => ({ Key })) };
  if (objects.length > 0) await emulator.call('s3', 'delete_objects', { Bucket: bucket, Delete });
}
