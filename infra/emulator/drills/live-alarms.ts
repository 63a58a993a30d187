import * as z from 'zod';
import { expectThat } from '../checks/expectation.ts';
import type { Emulator } from '../emulator.ts';
import type { OperatorShell } from './shell.ts';

const Described = z.object({
  MetricAlarms: z.array(z.object({ AlarmName: z.string(), AlarmDescription: z.string() })),
});

/** The alarms about a shop that works without errors, each with its section of the runbook. */
const watched = {
  BooksOutOfBalance: 'books-out-of-balance',
  KeysEnding: 'keys-about-to-end',
  SalesStopped: 'sales-stopped',
  StuckPayments: 'stuck-payments',
};

const live = '--merchant guides --stage live --merchants $FILES';

/**
 * Deploys the live stage and triggers each of these alarms. Expects that `status` names the alarm and its section of
 * the runbook.
 */
export async function rehearseLiveAlarms(emulator: Emulator, shell: OperatorShell): Promise<void> {
  await shell.run('npx cdk deploy -c merchant=guides -c stage=live -c merchants=$FILES');
  await shell.run(`npm run --silent ops -- status ${live}`);
  const prefix = 'tillstack-guides-live-';
  const { MetricAlarms: alarms } = Described.parse(
    await emulator.call('cloudwatch', 'describe_alarms', { AlarmNamePrefix: prefix, MaxRecords: 100 }),
  );
  const found = Object.keys(watched).flatMap((id) =>
    alarms.filter(({ AlarmName }) => AlarmName.includes(`Alarms${id}`)),
  );
  expectThat('the live stage has the alarms of a shop that is silent', found.length, Object.keys(watched).length);
  const set = async (StateValue: string) => {
    for (const { AlarmName } of found)
      await emulator.call('cloudwatch', 'set_alarm_state', { AlarmName, StateValue, StateReason: 'A drill' });
  };
  await set('ALARM');
  const named = Object.entries(watched).map(
    ([id, section]) => `(?=[\\s\\S]*Alarms${id}\\S* rings: .*docs/runbook.md#${section}$)`,
  );
  await shell.fail(`npm run --silent ops -- status ${live}`, new RegExp(`^${named.join('')}`, 'm'));
  await set('OK');
  await shell.run(`npm run --silent ops -- status ${live}`);
}
