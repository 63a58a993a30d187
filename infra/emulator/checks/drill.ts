import { setTimeout as pause } from 'node:timers/promises';
import type { CommandError } from '../command.ts';
import type { Emulator } from '../emulator.ts';
import { run } from '../stack.ts';
import { expectThat } from './expectation.ts';
import type { IsolatedShop } from './isolation.ts';

/**
 * The drill of the runbook for a restore. A payment is lost, the check reports it, and it is restored from the table's
 * backup.
 */
export async function restoreDrill(emulator: Emulator, { stack, paymentId }: IsolatedShop): Promise<void> {
  const books = (command: string) => run(emulator, `npm run --silent books -- ${command}`);
  const demo = '--merchant demo --stage sandbox';
  const balanced = await books(`check ${demo}`);
  expectThat('the books balance', balanced.includes(': the books balance.'), true);
  const restored = `${stack.tableName}-restored`;
  await restoreTable(emulator, stack.tableName, restored);
  const Key = { pk: { S: `PAYMENT#${paymentId}` }, sk: { S: 'PAYMENT' } };
  await emulator.call('dynamodb', 'delete_item', { TableName: stack.tableName, Key });
  const found = await books(`check ${demo}`).catch((error: unknown) => (error as CommandError).message);
  expectThat('a payment that is lost is missed', found.includes(`its payment ${paymentId} is missing`), true);
  const again = await books(`restore ${demo} --from ${restored}`);
  expectThat('it comes back from the backup', again.includes(' 1 added, 0 replaced.'), true);
  expectThat('and the books balance', again.includes(': the books balance.'), true);
  await emulator.call('dynamodb', 'delete_table', { TableName: restored });
}

interface Described {
  Table: { TableStatus: string };
}

async function restoreTable(emulator: Emulator, SourceTableName: string, TargetTableName: string): Promise<void> {
  const source = { SourceTableName, TargetTableName, UseLatestRestorableTime: true };
  await emulator.call('dynamodb', 'restore_table_to_point_in_time', source);
  for (let tries = 0; tries < 60; tries += 1) {
    const { Table } = (await emulator.call('dynamodb', 'describe_table', { TableName: TargetTableName })) as Described;
    if (Table.TableStatus === 'ACTIVE') return;
    await pause(1_000);
  }
  throw new Error('The table was not restored within a minute.');
}
