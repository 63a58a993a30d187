import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { hourMs } from '../../../shared/domain/duration.ts';
import type { OperatorClients, openClients, RoleCredentials } from '../ops/context.ts';
import type { FleetStack } from './targets.ts';

/** The clients of a stack's account. The credentials are those of its role; undefined for the caller's own. */
export interface StackAccess {
  clients: OperatorClients;
  credentials: RoleCredentials | undefined;
  account: string;
}

/** The longest time that AWS allows where a role takes a role. */
const sessionSeconds = hourMs / 1_000;

async function assume({ identity }: OperatorClients, RoleArn: string): Promise<RoleCredentials> {
  const input = { RoleArn, RoleSessionName: 'tillstack-fleet', DurationSeconds: sessionSeconds };
  const { Credentials } = await identity.send(new AssumeRoleCommand(input)).catch((error: Error) => {
    throw new Error(`The role ${RoleArn} cannot be assumed: ${error.name}: ${error.message}`);
  });
  const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
}

/** Takes the role in the merchant's file, if it names one. It refuses credentials of another account than the stage's. */
export async function takeRole({ settings }: FleetStack, open: typeof openClients): Promise<StackAccess> {
  const { role, region, account: expected } = settings;
  const own = open(region);
  const credentials = role === undefined ? undefined : await assume(own, role);
  const clients = credentials ? open(region, credentials) : own;
  const { Account: account = '' } = await clients.identity.send(new GetCallerIdentityCommand({}));
  if (expected !== undefined && account !== expected)
    throw new Error(`The credentials are of account ${account}, but the stage belongs to ${expected}.`);
  return { clients, credentials, account };
}
