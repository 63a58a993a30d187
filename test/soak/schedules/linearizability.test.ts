import { setImmediate as yieldTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { realPace } from '../../../shared/use-cases/retry.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { isLinearizable, type Operation, type Specification } from '../../support/faults/linearizability.ts';
import { between, campaign, seeded, times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { type Command, type Send, sendThrough } from '../../support/table/send-through.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
let productId: string;
const restores: (() => void)[] = [];
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
});
afterEach(() => {
  for (const restore of restores.splice(0).reverse()) restore();
});
afterAll(() => api.stop());

/** Refunds this much, or reads what is left; undefined is a reader. */
type Input = { refund: number } | { read: true };
type Output = number | 'refused';

/** One payment: what is left goes down by what is refunded, and never below zero. */
const payment: Specification<number, Input, Output> = {
  initial: 1_999,
  apply: (left, input) => {
    if ('read' in input) return { state: left, output: left };
    const isEnough = input.refund <= left;
    return { state: isEnough ? left - input.refund : left, output: isEnough ? input.refund : 'refused' };
  },
  isSame: (told, expected) => told === expected,
};

async function ask(id: string, input: Input): Promise<Output | undefined> {
  if ('read' in input) return (await api.call(`GET /payments/${id}`)).body.refundable_amount;
  const { status, body } = await api.call('POST /refunds', { body: { payment_id: id, amount: input.refund } });
  if (status === 200) return body.amount;
  return status === 422 ? 'refused' : undefined;
}

interface Shape {
  clients: number;
  operations: number;
  /** How often a request or its answer is lost. */
  lost: number;
}

/** Lets clients change one payment at the same time, and returns their requests and answers. */
async function record(random: () => number, shape: Shape): Promise<Operation<Input, Output>[]> {
  const { id } = await pay(await createSession(api, [{ product_id: productId, quantity: 1 }]), {
    expectedTotal: 1_999,
  });
  const history: Operation<Input, Output>[] = [];
  let clock = 0;
  const tick = () => {
    clock += 1;
    return clock;
  };
  const inputs = times(shape.operations).map(
    (): Input => (random() < 0.3 ? { read: true } : { refund: between(random, 1, 160) }),
  );
  const client = async () => {
    for (let input = inputs.shift(); input; input = inputs.shift()) {
      const calledAt = tick();
      const fate = random();
      const output = fate < shape.lost / 2 ? undefined : await ask(id, input);
      const isKnown = output !== undefined && fate >= shape.lost;
      history.push({ input, calledAt, output: isKnown ? output : undefined, returnedAt: isKnown ? tick() : Infinity });
    }
  };
  await Promise.all(times(shape.clients).map(client));
  return history;
}

/** A table at whose door everybody waits for a while: interleavings come about as they do across a network. */
const dawdling =
  (random: () => number) =>
  (send: Send): Send =>
  async (command) => {
    for (const _ of times(between(random, 0, 2))) await yieldTurn();
    const answer = await send(command);
    for (const _ of times(between(random, 0, 2))) await yieldTurn();
    return answer;
  };

/** A store that reads, decides and writes without checking that the payment is unchanged. */
const naive =
  (send: Send): Send =>
  (command: Command) => {
    for (const { Put } of (command.input['TransactItems'] ?? []) as { Put: Record<string, unknown> }[])
      if ((Put['Item'] as { entity: string }).entity === 'PAYMENT') {
        delete Put['ConditionExpression'];
        delete Put['ExpressionAttributeValues'];
      }
    return send(command);
  };

async function unhurried(random: () => number): Promise<void> {
  restores.push(sendThrough(table().client, dawdling(random)));
  const hasty = [vi.spyOn(Math, 'random').mockReturnValue(0), vi.spyOn(realPace, 'pause').mockResolvedValue(undefined)];
  for (const spy of hasty) restores.push(() => spy.mockRestore());
}

const shape: Shape = { clients: 6, operations: 48, lost: 0.03 };

describe('the checker of recorded histories', () => {
  const at = (calledAt: number, returnedAt: number, input: Input, output?: Output) => ({
    calledAt,
    returnedAt,
    input,
    output,
  });

  it('accepts a history that one order explains, and an unknown outcome that did or did not happen', () => {
    const reads = (left: number) => at(5, 6, { read: true }, left);
    const unknown = { ...at(3, Infinity, { refund: 999 }), output: undefined };
    const refunded = at(1, 2, { refund: 1_000 }, 1_000);
    expect(isLinearizable([refunded, reads(999)], payment)).toBe(true);
    expect(isLinearizable([refunded, unknown, reads(999)], payment)).toBe(true);
    expect(isLinearizable([refunded, unknown, reads(0)], payment)).toBe(true);
    expect(isLinearizable([at(1, 4, { refund: 1_500 }, 1_500), at(2, 3, { refund: 1_500 }, 'refused')], payment)).toBe(
      true,
    );
  });

  it('rejects two refunds of one amount, an outdated read, and a refusal without a reason', () => {
    const twice = [at(1, 4, { refund: 1_500 }, 1_500), at(2, 3, { refund: 1_500 }, 1_500)];
    expect(isLinearizable(twice, payment)).toBe(false);
    expect(isLinearizable([at(1, 2, { refund: 1_000 }, 1_000), at(3, 4, { read: true }, 1_999)], payment)).toBe(false);
    expect(isLinearizable([at(1, 2, { refund: 1 }, 'refused')], payment)).toBe(false);
  });
});

describe('the history of one payment that clients see', () => {
  it('is linearizable for six clients, even if three in a hundred operations have an unknown outcome', async () => {
    const count = campaign(500, 12, 4); // one alone finds a payment that is not guarded, as the next test shows
    const random = seeded(16);
    await unhurried(random);
    let passed = 0;
    for (const _ of times(count)) if (isLinearizable(await record(random, shape), payment)) passed += 1;
    console.log(`B16: ${passed} of ${count} histories of ${shape.operations} operations linearizable`);
    expect(passed).toBe(count);
  });

  it('is not linearizable without the payment’s version check: the checker rejects every such history', async () => {
    const count = campaign(500, 6, 3);
    const random = seeded(18);
    await unhurried(random);
    restores.push(sendThrough(table().client, naive));
    let caught = 0;
    for (const _ of times(count)) if (!isLinearizable(await record(random, shape), payment)) caught += 1;
    console.log(`B16: ${caught} of ${count} histories of a naive store caught`);
    expect(caught).toBe(count);
  });

  it('is also linearizable over HTTP', async () => {
    restores.push(api.speakHttp()); // the tests after this one have no use for the time that it takes
    const count = campaign(500, 2, 1);
    const random = seeded(17);
    let passed = 0;
    for (const _ of times(count)) if (isLinearizable(await record(random, shape), payment)) passed += 1;
    console.log(`B16: ${passed} of ${count} histories over HTTP linearizable`);
    expect(passed).toBe(count);
  });
});
