import * as z from 'zod';
import { signedHeaders } from '../../../shared/outside/parameters/signed-headers.ts';
import type { OperatorClients } from '../ops/context.ts';

const Answer = z.object({
  NextPageToken: z.string().optional(),
  ResultsByTime: z.array(
    z.object({
      Groups: z.array(
        z.object({
          Keys: z.array(z.string()),
          Metrics: z.object({ UnblendedCost: z.object({ Amount: z.string(), Unit: z.string() }) }),
        }),
      ),
    }),
  ),
});

/** What the stacks of an account cost this month, by `merchant/stage`. AWS charges one US cent for each page of it. */
export async function costsOfMonth({ cloudFormation }: OperatorClients, now: Date): Promise<Map<string, string>> {
  const costs = new Map<string, string>();
  for (let page: string | undefined, isFirst = true; isFirst || page; isFirst = false) {
    const { ResultsByTime: months, NextPageToken } = await ask(cloudFormation, {
      ...questionAt(now),
      ...(page && { NextPageToken: page }),
    });
    for (const { Keys, Metrics } of months.flatMap(({ Groups }) => Groups))
      costs.set(Keys.map((key) => key.replace(/^.*\$/, '')).join('/'), amountOf(Metrics.UnblendedCost));
    page = NextPageToken;
  }
  return costs;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** From the first of the month to today, by the tags of a stack and its resources. The end is excluded. */
const questionAt = (now: Date) => ({
  TimePeriod: {
    Start: `${dayOf(now).slice(0, 7)}-01`,
    End: dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))),
  },
  Granularity: 'MONTHLY',
  Metrics: ['UnblendedCost'],
  Filter: { Tags: { Key: 'service', Values: ['tillstack'] } },
  GroupBy: ['merchant', 'stage'].map((Key) => ({ Type: 'TAG', Key })),
});

const amountOf = ({ Amount, Unit }: { Amount: string; Unit: string }): string =>
  `${new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false }).format(Number(Amount))} ${Unit}`;

/** Cost Explorer has one address for all regions. */
const address = 'https://ce.us-east-1.amazonaws.com/';
const timeoutMs = 20_000;

async function ask({ config }: OperatorClients['cloudFormation'], question: object): Promise<z.infer<typeof Answer>> {
  const url = new URL(address);
  const body = JSON.stringify(question);
  const caller = { service: 'ce', region: 'us-east-1', credentials: () => config.credentials() };
  const headers = await signedHeaders(caller, { url, target: 'AWSInsightsIndexService.GetCostAndUsage', body });
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
  const text = await response.text();
  if (response.ok) return Answer.parse(JSON.parse(text));
  throw new Error(`Cost Explorer answered ${response.status}: ${text.slice(0, 300)}`);
}
