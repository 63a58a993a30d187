import * as z from 'zod';
import type { Emulator } from '../emulator.ts';
import type { DeployedStack } from '../stack.ts';
import { ask, type StackAnswer } from './ask.ts';
import { expectThat } from './expectation.ts';

/** A stack, an API key for it, and a sale in it. */
export interface IsolatedShop {
  stack: DeployedStack;
  key: string;
  paymentId: string;
}

const codeOf = ({ status, body }: StackAnswer): unknown[] => [
  status,
  z.object({ code: z.string() }).safeParse(body).data?.code,
];

/** Checks two merchants in one account. Each key opens only one shop, and each shop knows only its own objects. */
export async function expectIsolation(emulator: Emulator, shops: readonly [IsolatedShop, IsolatedShop]): Promise<void> {
  for (const [own, other] of [shops, shops.toReversed() as [IsolatedShop, IsolatedShop]]) {
    const { stack, key } = own;
    const asked = await ask(stack, other.key, 'GET /payments');
    expectThat(`${stack.name} does not know the other's key`, codeOf(asked), [401, 'UNAUTHORIZED']);
    const found = await ask(stack, key, `GET /payments/${other.paymentId}`);
    expectThat(`${stack.name} does not know the other's payment`, codeOf(found), [404, 'NOT_FOUND']);
    const rows = await rowsOf(emulator, stack);
    expectThat(
      `${stack.name} holds no row of the other's`,
      [rows.includes(other.paymentId), rows.includes(own.paymentId)],
      [false, true],
    );
  }
}

interface Page {
  Items: unknown[];
  LastEvaluatedKey?: object;
}

/** Reads the whole table of a stack as text, with the account owner's rights. */
async function rowsOf(emulator: Emulator, { tableName: TableName }: DeployedStack): Promise<string> {
  const rows: string[] = [];
  let start: object | undefined;
  do {
    const input = { TableName, ...(start && { ExclusiveStartKey: start }) };
    const page = (await emulator.call('dynamodb', 'scan', input)) as Page;
    rows.push(JSON.stringify(page.Items));
    start = page.LastEvaluatedKey;
  } while (start);
  return rows.join('\n');
}

interface Functions {
  Functions: {
    FunctionName: string;
    Description: string;
    Role: string;
    Environment: { Variables: Record<string, string> };
  }[];
  NextMarker?: string;
}

/**
 * Expects that a function with the name of a wrong table can read no row of it, because of its role. The function stays
 * misconfigured, so its stack must be deployed again afterwards.
 */
export async function expectEnforcement(emulator: Emulator, misled: IsolatedShop, victim: IsolatedShop): Promise<void> {
  const { FunctionName, Environment } = await deployedFunction(emulator, misled.stack, 'GET /payments/{payment_id}');
  const Variables = { ...Environment.Variables, TABLE_NAME: victim.stack.tableName };
  await emulator.call('lambda', 'update_function_configuration', { FunctionName, Environment: { Variables } });
  const answer = await ask(misled.stack, victim.key, `GET /payments/${victim.paymentId}`);
  const claim = `a function of ${misled.stack.name} that is pointed at the table of ${victim.stack.name} gets nothing from it`;
  expectThat(claim, [answer.status, JSON.stringify(answer.body).includes('total_amount')], [500, false]);
}

/**
 * Finds a function by its description, which begins with its route. The names of functions in nested stacks are
 * shortened.
 */
export async function deployedFunction(emulator: Emulator, { name }: DeployedStack, description: string) {
  let marker: string | undefined;
  do {
    const input = marker ? { Marker: marker } : {};
    const page = (await emulator.call('lambda', 'list_functions', input)) as Functions;
    const found = page.Functions.find(
      ({ FunctionName, Description }) => FunctionName.startsWith(`${name}-`) && Description === description,
    );
    if (found) return found;
    marker = page.NextMarker;
  } while (marker);
  throw new Error(`There is no function of ${description} in ${name}.`);
}
