import { setTimeout as pause } from 'node:timers/promises';
import { DisableRuleCommand, EnableRuleCommand } from '@aws-sdk/client-eventbridge';
import {
  DeleteFunctionConcurrencyCommand,
  GetEventSourceMappingCommand,
  type LambdaClient,
  PutFunctionConcurrencyCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { constructIdOf } from '../../function-names.ts';
import type { OpsContext, OpsReport } from './context.ts';
import { alarmsOfEverything, alarmsOfStop, documentWorker, moneyFunctions } from './money.ts';
import { rulesIn, settlingRulesIn } from './rules.ts';
import { type DeployedPart, functionsIn, getStack, partOf, type StackPart, stackParts } from './stack-parts.ts';

/** The event-source mapping between the queue and the function that issues documents. */
export const documentMappingOf = (parts: readonly StackPart[]): StackPart | undefined =>
  partOf(parts, 'AWS::Lambda::EventSourceMapping', `Events${constructIdOf(documentWorker)}Batches`);

/** The event-source mapping between the table's stream and the relay. */
export const relayMappingOf = (parts: readonly StackPart[]): StackPart | undefined =>
  partOf(parts, 'AWS::Lambda::EventSourceMapping', 'EventsRelay');

/**
 * The parts of a deployed stack that handle money. Throws if a function is missing, because it could not be stopped.
 */
async function switchesOf({ clients, stackName }: OpsContext) {
  await getStack(clients.cloudFormation, stackName);
  const parts = await stackParts(clients.cloudFormation, stackName);
  const functions = functionsIn(parts, moneyFunctions);
  const mapping = documentMappingOf(parts);
  if (mapping === undefined || functions.length === 0)
    throw new Error(`${stackName} has no functions that take money: its deployment has not ended well.`);
  return { functions, mapping, parts };
}

const mappingMs = 120_000;

/** Switches a mapping on or off. Lambda takes about a minute for that, and refuses other changes during this time. */
async function switchMapping(client: LambdaClient, uuid: string, isOn: boolean): Promise<void> {
  const wanted = isOn ? 'Enabled' : 'Disabled';
  const state = async () => (await client.send(new GetEventSourceMappingCommand({ UUID: uuid }))).State;
  if ((await state()) !== wanted) await client.send(new UpdateEventSourceMappingCommand({ UUID: uuid, Enabled: isOn }));
  for (const until = performance.now() + mappingMs; performance.now() < until; await pause(1_000))
    if ((await state()) === wanted) return;
  throw new Error(`The event source mapping ${uuid} is not ${wanted.toLowerCase()} within two minutes. Try again.`);
}

const namesOf = (functions: readonly DeployedPart[]): string[] => functions.map(({ name }) => name);

/**
 * Stops everything that takes or returns money or issues a document. Refused callers can try again later, and events
 * wait. Payments that have already started are still finished, unless everything must be stopped.
 */
export async function stopMoney(context: OpsContext): Promise<OpsReport> {
  const { functions, mapping, parts } = await switchesOf(context);
  const { lambda, events } = context.clients;
  for (const { physicalId: FunctionName } of functions)
    await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
  await switchMapping(lambda, mapping.physicalId, false);
  const held = context.options.everything ? settlingRulesIn(parts) : [];
  for (const { key } of held) await events.send(new DisableRuleCommand(key));
  const stopped = [...namesOf(functions), documentWorker];
  const ringing = [...alarmsOfStop, ...(context.options.everything ? alarmsOfEverything : [])];
  return {
    isFine: true,
    json: { stopped, rules: held.map(({ logicalId }) => logicalId), alarms: ringing.map(({ section }) => section) },
    lines: [
      ...stopped.map((name) => `stopped ${name}`),
      ...held.map(({ logicalId }) => `disabled ${logicalId}`),
      ...ringing.map(({ section, because }) => `will ring: ${section}, ${because}`),
      context.options.everything
        ? 'Nothing is charged, paid back, issued or settled, and no webhook is repeated. "start" starts it again; a deployment does not.'
        : 'Nothing is charged, paid back or issued. What was begun is still settled; --everything stops that too. "start" starts it again; a deployment does not.',
    ],
  };
}

/**
 * Starts everything that `stopMoney` has stopped, and every other schedule, rule and mapping that a person has switched
 * off. A worker gets its configured reserved concurrency again.
 */
export async function startMoney(context: OpsContext): Promise<OpsReport> {
  const { functions, mapping, parts } = await switchesOf(context);
  const rules = rulesIn(parts);
  const relay = relayMappingOf(parts);
  const { lambda, events } = context.clients;
  for (const { key } of rules) await events.send(new EnableRuleCommand(key));
  if (relay) await switchMapping(lambda, relay.physicalId, true);
  await switchMapping(lambda, mapping.physicalId, true);
  for (const { physicalId: FunctionName } of functions)
    await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  const started = [...namesOf(functions), documentWorker];
  return {
    isFine: true,
    json: { started, rules: rules.map(({ logicalId }) => logicalId) },
    lines: [
      ...started.map((name) => `started ${name}`),
      ...rules.map(({ logicalId }) => `enabled ${logicalId}`),
      'Money is taken and returned again. See that all is well with "status".',
    ],
  };
}
