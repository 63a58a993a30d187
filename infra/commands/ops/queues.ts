import { GetQueueAttributesCommand, PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { UsageError } from '../../usage-error.ts';
import { oneOf } from '../find-table.ts';
import type { OpsContext, OpsReport } from './context.ts';
import { partOf, type StackPart, stackParts } from './stack-parts.ts';

/**
 * The queues of failed events, by their names in commands, with their constructs and their sections in docs/runbook.md.
 */
const failureQueues = {
  'failed-relays': { path: 'EventsFailedRelays', section: 'failed-relays' },
  undelivered: { path: 'EventsUndelivered', section: 'undelivered-events' },
  'failed-dispatches': { path: 'EventsFailedDispatches', section: 'failed-dispatches' },
  'failed-documents': { path: 'EventsFailedDocuments', section: 'failed-documents' },
} as const;

type FailureQueue = keyof typeof failureQueues;

export const queueNames = Object.keys(failureQueues) as FailureQueue[];

interface DeployedQueue {
  name: FailureQueue;
  section: string;
  url: string;
}

export const queuesIn = (parts: readonly StackPart[]): DeployedQueue[] =>
  queueNames.flatMap((name) => {
    const { path, section } = failureQueues[name];
    const part = partOf(parts, 'AWS::SQS::Queue', path);
    return part ? [{ name, section, url: part.physicalId }] : [];
  });

/** Empties a queue of failures. Its events are still due in the table, so the sweep publishes them again. */
export async function purgeFailures({ clients, options, stackName }: OpsContext): Promise<OpsReport> {
  const name = oneOf('queue', options.queue ?? '', queueNames);
  if (!options.yes) throw new UsageError(`Nothing was purged. Add --yes to remove every message of ${name}.`);
  const queue = queuesIn(await stackParts(clients.cloudFormation, stackName)).find((one) => one.name === name);
  if (!queue) throw new Error(`${stackName} has no queue ${name}.`);
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await clients.queues.send(
    new GetQueueAttributesCommand({ QueueUrl: queue.url, AttributeNames }),
  );
  await clients.queues.send(new PurgeQueueCommand({ QueueUrl: queue.url }));
  const purged = Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0);
  return { isFine: true, json: { queue: name, purged }, lines: [`${purged} messages of ${name} are purged.`] };
}
