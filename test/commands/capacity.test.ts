import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type Allowances,
  capacityLimits,
  describeCapacity,
  perBuyer,
  readCapacity,
} from '../../infra/commands/ops/capacity.ts';
import { operatorContext } from './operator-context.ts';
import { playStack } from './played-stack.ts';

const costs = readFileSync('docs/costs.md', 'utf8');
const rows = costs
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('*', '')),
  );

/** The milliseconds of a warm call with the memory that is chosen for it. */
function warmMs(call: string): number {
  const row = rows.find(
    ([name, , small = '']) => name?.replace(/, 10 at once$/, '') === call && small.includes(' ms,'),
  );
  const [, , ...cells] = row ?? [];
  const at = ['256 MB', '512 MB', '1024 MB', '1769 MB'].indexOf(cells.at(-1) ?? '');
  return Number.parseFloat(cells[at] ?? '') / (row?.[0]?.endsWith('10 at once') ? 10 : 1);
}

/** The rows of the first table: the steps of a checkout by its pages, with calls and write units. */
const steps = rows
  .slice(
    1,
    rows.findIndex(([name]) => name === 'together'),
  )
  .filter(([name]) => !name?.startsWith('-'));
const workers = ['the event goes on the bus', 'the webhook', 'the invoice, through its queue'];
const buyers = steps.filter(([name = '']) => !workers.includes(name));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const seconds = (names: readonly (readonly [string, number])[]): number =>
  sum(names.map(([name, times]) => times * warmMs(name))) / 1_000;

const usual: Allowances = {
  gatewayRequests: 10_000,
  concurrency: 1_000,
  tableWrites: 4_000,
  mails: { perSecond: 14, perDay: 50_000, sentToday: 0 },
};
const stage = { throttle: { ratePerSecond: 1_000, burst: 500 }, processor: undefined };

describe('what a buyer needs', () => {
  it('is what the page of costs has measured for a checkout by its pages', () => {
    expect(steps.length).toBeGreaterThan(8);
    const needed = perBuyer.direct;
    expect(needed.requests).toBe(Math.floor(sum(buyers.map(([, calls]) => Number(calls)))));
    expect(needed.writeUnits).toBeCloseTo(sum(steps.map(([, , writes]) => Number(writes))), 1);
    const called = [
      ...buyers.map(([name = '', calls]) => [name, Number(calls)] as const),
      ...workers.map((name) => [name, 1] as const),
    ];
    expect(needed.functionSeconds).toBeCloseTo(seconds(called), 1);
  });

  it('is more with Stripe, by the calls, the waiting and the writes of a live sale', () => {
    const live = [
      ['the payment, at Stripe', 1],
      ['the return from Stripe', 1],
      ['a notification of Stripe', 3],
    ] as const;
    const { direct, remote } = perBuyer;
    expect(remote.requests - direct.requests).toBe(1 + 3); // the return, and three notifications
    expect(remote.functionSeconds - direct.functionSeconds).toBeCloseTo(
      seconds(live) - seconds([['the payment', 1]]),
      1,
    );
    const writes = (call: string) =>
      Number(rows.find(([name, times]) => name === call && /^\d$/.test(times ?? ''))?.[3]);
    const more = sum(live.map(([name, times]) => times * writes(name))) - 14; // 14 are those of the payment by test card
    expect(remote.writeUnits - direct.writeUnits).toBeCloseTo(more, 1);
  });
});

describe('the limits of a stage', () => {
  it('are listed in buyers a second, the lowest first', () => {
    const limits = capacityLimits(usual, stage);
    // 4,000 write units ÷ 24.4 = 163.9; 10 workers × 20 documents; 1,000 ÷ 4 payments; 1,000 ÷ 3 totals; 1,000 ÷ 2 writes; 10,000 ÷ 10 requests
    expect(limits.slice(0, 5).map(({ buyersPerSecond }) => Math.floor(buyersPerSecond))).toEqual([
      163, 200, 250, 333, 500,
    ]);
    expect(limits[0]?.name).toContain('table');
  });

  it('of a new account are those of Lambda', () => {
    const [first] = capacityLimits({ ...usual, concurrency: 10 }, { ...stage, processor: { name: 'stripe' } });
    expect([first?.name, Math.floor(first?.buyersPerSecond ?? 0)]).toEqual([
      'functions at once, while they are warm',
      8,
    ]); // 10 ÷ 1.19
    expect(first?.more).toContain('L-B99A9384');
  });

  it('stand in the decision about limits (UPDATE_DOCS=1 rewrites the table)', () => {
    const page = 'docs/decisions/0009-limits-of-the-api.md';
    const accounts: [string, Partial<Allowances>][] = [
      ['a new account', { concurrency: 10 }],
      ['a usual account', {}],
      ['a raised account, with a prepared table', { concurrency: 5_000, tableWrites: 20_000 }],
    ];
    const names = capacityLimits(usual, stage).map(({ name }) => name);
    const buyersBy = (allowed: Partial<Allowances>) =>
      new Map(
        capacityLimits({ ...usual, ...allowed }, stage).map((limit) => [limit.name, Math.floor(limit.buyersPerSecond)]),
      );
    const columns = accounts.map(([, allowed]) => buyersBy(allowed));
    const table = [
      `| limit | ${accounts.map(([name]) => name).join(' | ')} |`,
      `|---|${accounts.map(() => '---|').join('')}`,
      ...names.map((name) => `| ${name} | ${columns.map((column) => column.get(name)).join(' | ')} |`),
    ].join('\n');
    const text = readFileSync(page, 'utf8');
    const section = /<!-- capacity -->\n([\s\S]*?)<!-- \/capacity -->/;
    if (process.env['UPDATE_DOCS'])
      writeFileSync(
        page,
        text.replace(section, () => `<!-- capacity -->\n${table}\n<!-- /capacity -->`),
      );
    else expect(section.exec(text)?.[1]).toBe(`${table}\n`);
  });
});

describe('the capacity command', () => {
  const answers = {
    GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 940 } }),
    GetServiceQuota: () => ({ Quota: { Value: 5_000 } }),
    GetAccount: () => ({ SendQuota: { MaxSendRate: 1, Max24HourSend: 200, SentLast24Hours: 37 } }),
    DescribeTable: () => ({
      Table: {
        WarmThroughput: { WriteUnitsPerSecond: 12_000 },
        GlobalSecondaryIndexes: [{ WarmThroughput: { WriteUnitsPerSecond: 8_000 } }],
      },
    }),
  };
  const merchant = { receipts: { from: 'receipts@shop.example' } };

  it('reads the limits of the account, and names the one that comes first with what to do', async () => {
    const { context } = operatorContext(playStack(answers).answers, { merchant });
    const { lines, json } = await readCapacity(context);
    expect(json).toMatchObject({ gatewayRequests: 5_000, concurrency: 940, tableWrites: 8_000 });
    expect(lines).toContain('             250  payments, by the throttle of the stage');
    expect(lines).toContain('             200  documents, by their workers; more wait in their queue');
    expect(lines.at(-4)).toBe('Mails: 1 a second and 200 in 24 hours, of which 37 are sent. Each sale has one.');
    expect(lines.at(-2)).toBe(
      'This stage serves 200 buyers a second. Then it is short of: documents, by their workers; more wait in their queue.',
    );
    expect(lines.at(-1)).toContain('documentWorkers');
  });

  it('says when it may not read the gateway’s quota, and goes on with AWS’s default', async () => {
    const refused = () => {
      throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    };
    const { context } = operatorContext(playStack({ ...answers, GetServiceQuota: refused }).answers);
    const { lines } = await readCapacity(context);
    expect(lines.join('\n')).toContain('1000  requests to the APIs of the account, by AWS’s default');
  });

  it('shows tenths where a limit is below ten buyers', () => {
    const lines = describeCapacity(capacityLimits({ ...usual, concurrency: 3 }, stage), usual);
    expect(lines[1]).toMatch(/^ +7\.3 {2}functions at once/); // 3 ÷ 0.41
  });
});
