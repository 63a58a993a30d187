import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { dispatchRule, mailReportRule, queueConsumer, schedules, streamConsumer } from '../../endpoints.ts';
import type { OperatorClients } from '../ops/context.ts';
import { queuesIn } from '../ops/queues.ts';
import { findStack, functionsIn, partOf, type StackPart, stackParts } from '../ops/stack-parts.ts';
import { readMetrics } from './metrics.ts';

/**
 * The errors of a stack in a span of time. Errors of a function that answers callers are answers with 5xx, so only
 * workers are counted as functions. Dead letters are those that wait at the end of the span.
 */
export const ErrorCounts = z.object({ answers: z.int(), workers: z.int(), dead_letters: z.int() });
export type ErrorCounts = z.infer<typeof ErrorCounts>;

const workerNames = [streamConsumer, dispatchRule, queueConsumer, mailReportRule, ...schedules].map(
  (line) => line.function,
);

const minuteSeconds = 60;

async function countDeadLetters({ queues }: OperatorClients, parts: readonly StackPart[]): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const counts = await Promise.all(
    queuesIn(parts).map(async ({ url: QueueUrl }) => {
      const { Attributes } = await queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0);
    }),
  );
  return sum(counts);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Counts the errors of a stack. A stack that does not exist yet has none. */
export async function countErrors(
  clients: OperatorClients,
  stackName: string,
  { from, to }: { from: Date; to: Date },
): Promise<ErrorCounts> {
  if (!(await findStack(clients.cloudFormation, stackName))) return { answers: 0, workers: 0, dead_letters: 0 };
  const parts = await stackParts(clients.cloudFormation, stackName);
  const api = partOf(parts, 'AWS::ApiGatewayV2::Api', 'HttpApi')?.physicalId ?? '';
  const of = (namespace: string, name: string, dimensions: Record<string, string>) =>
    ({ namespace, name, dimensions, statistic: 'Sum' }) as const;
  const [answers = [], ...workers] = await readMetrics(
    clients,
    [
      of('AWS/ApiGateway', '5xx', { ApiId: api, Stage: '$default' }),
      ...functionsIn(parts, workerNames).map(({ physicalId: FunctionName }) =>
        of('AWS/Lambda', 'Errors', { FunctionName }),
      ),
    ],
    { from, to, periodSeconds: minuteSeconds },
  );
  return {
    answers: sum(answers.map(({ value }) => value)),
    workers: sum(workers.flat().map(({ value }) => value)),
    dead_letters: await countDeadLetters(clients, parts),
  };
}

/** Errors happen without a release, too. A release is bad if they more than double, by three or more. */
const leastRise = 3;
const hasRisen = (before: number, after: number): boolean => after >= before + leastRise && after > 2 * before;

/** What has risen since a deployment, for people. Each dead letter counts, because nothing tries it again. */
export const risenErrors = (before: ErrorCounts, after: ErrorCounts): string[] => [
  ...(hasRisen(before.answers, after.answers)
    ? [`answers with 5xx rose from ${before.answers} to ${after.answers}`]
    : []),
  ...(hasRisen(before.workers, after.workers)
    ? [`errors of workers rose from ${before.workers} to ${after.workers}`]
    : []),
  ...(after.dead_letters > before.dead_letters
    ? [`dead letters rose from ${before.dead_letters} to ${after.dead_letters}`]
    : []),
];
