import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetRefund, listAnHourEarlier } from './amounts.ts';
import { emptyRow, loseRows, physicalId, rowsBelow } from './damage.ts';
import type { Drill } from './drill.ts';
import { files, sellByLink } from './first-day.ts';
import { expectOutOfBalance } from './hourly-look.ts';

const stack = 'tillstack-guides-sandbox';
const guides = '--merchant guides --stage sandbox --merchants $FILES';
const status = `npm run --silent ops -- status ${guides}`;
const start = `npm run --silent ops -- start ${guides}`;
const stop = `npm run --silent ops -- stop ${guides}`;
const check = `npm run --silent books -- check ${guides}`;
const watchLogs = `npm run --silent ops -- logs ${guides} --function watch-shop --since 6h`;
const restore = `npm run --silent books -- restore ${guides} --from <copy>`;

/** Drills in which a person has switched off a part of the flow of money and events. */
const switchedOff: readonly Drill[] = [
  {
    name: 'nobody can pay, because a function was stopped by hand',
    section: 'Stopping the money',
    breaks: async (scene) => {
      const FunctionName = await physicalId(scene, stack, 'PayCheckout');
      await scene.emulator.call('lambda', 'put_function_concurrency', {
        FunctionName,
        ReservedConcurrentExecutions: 0,
      });
      return FunctionName;
    },
    seenBy: { command: status, says: /stopped: checkout\/pay-checkout/ },
    repairs: [start],
    provedBy: [status],
  },
  {
    name: 'the sweep is not called any more',
    section: 'Oldest due event',
    breaks: async (scene) => {
      const Name = await physicalId(scene, stack, 'EventsSweep');
      await scene.emulator.call('events', 'disable_rule', { Name });
      return Name;
    },
    seenBy: { command: status, says: /disabled: EventsSweep/ },
    repairs: [start],
    provedBy: [status],
  },
  {
    name: 'a sale has no invoice, because the queue of documents was switched off',
    section: 'Oldest undone document',
    breaks: async (scene) => {
      const UUID = await physicalId(scene, stack, 'EventsIssueDocumentsBatches');
      await scene.emulator.call('lambda', 'update_event_source_mapping', { UUID, Enabled: false });
      await sellByLink(scene.shop, scene.stripe);
      return UUID;
    },
    seenBy: { command: check, says: /pay_\w+: it has no document/ },
    repairs: [start],
    provedBy: [status, check],
  },
];

/** Faults in which rows are lost or damaged. */
const damaged: readonly Drill[] = [
  {
    name: 'a payment is lost',
    section: 'Backup and restore',
    breaks: async (scene) => {
      const rows = await rowsBelow(scene, `PAYMENT#${scene.shop.payment}`);
      return (await loseRows(scene, rows)).join();
    },
    seenBy: { command: check, says: /its payment pay_\w+ is missing/ },
    repairs: [stop, restore, start],
    provedBy: [check, status],
  },
  {
    name: 'a payment has lost its contents',
    section: 'Backup and restore',
    breaks: async ({ emulator, shop }) => {
      const pk = `PAYMENT#${shop.payment}`;
      await emptyRow(emulator, shop.TableName, { pk, sk: 'PAYMENT' });
      return pk;
    },
    seenBy: { command: check, says: /the row cannot be read/ },
    repairs: [stop, `${restore} --replace '<it>'`, start],
    provedBy: [check, status],
  },
  {
    name: 'a refunded payment counts as not refunded, and could be paid back twice',
    section: 'Books out of balance',
    breaks: async (scene) => {
      await listAnHourEarlier(scene);
      await expectOutOfBalance(scene, stack, watchLogs, 0);
      return forgetRefund(scene);
    },
    noticed: {
      before: async (scene) => {
        await expectOutOfBalance(scene, stack, watchLogs, 1);
        await scene.shell.until(`${watchLogs} --errors`, /the amounts of a payment do not balance.*pay_\w+/);
      },
      after: (scene) => expectOutOfBalance(scene, stack, watchLogs, 0),
    },
    seenBy: { command: check, says: /pay_\w+: its refunds do not add up to refunded/ },
    repairs: [stop, `${restore} --replace '<it>'`, start],
    provedBy: [check, status],
  },
  {
    name: 'the numbers of the invoices are lost, and their counter',
    section: 'Backup and restore',
    breaks: async (scene) => [...new Set(await loseRows(scene, await rowsBelow(scene, 'SERIES#INV')))].join(),
    seenBy: { command: check, says: /is missing from the series/ },
    repairs: [stop, restore, start],
    provedBy: [check, status],
  },
  {
    name: 'a document is lost, and there is no copy of it',
    section: 'Backup and restore',
    breaks: async (scene) => {
      const rows = await rowsBelow(scene, `DOCUMENT#${scene.shop.payment}`);
      return (
        await loseRows(
          scene,
          rows.filter(({ sk }) => sk?.['S'] === 'DOCUMENT'),
        )
      ).join();
    },
    seenBy: { command: check, says: /its document INV-\d{4}-000001 is missing/ },
    repairs: [`npm run --silent books -- issue ${guides}`],
    provedBy: [check],
  },
];

/** A template whose first deployment fails in the middle, and leaves a table behind. */
const failing = JSON.stringify({
  Resources: {
    DataTableFDBAD0F2: {
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Retain',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
      },
    },
    Failure: { Type: 'AWS::Events::Archive', DependsOn: 'DataTableFDBAD0F2', Properties: { RetentionDays: 1 } },
  },
});

const others: readonly Drill[] = [
  {
    name: 'a queue of failures holds a message, whose fault is mended',
    section: 'Failed dispatches',
    breaks: async (scene) => {
      const QueueUrl = await physicalId(scene, stack, 'EventsFailedDispatches');
      await scene.emulator.call('sqs', 'send_message', { QueueUrl, MessageBody: '{}' });
      return QueueUrl;
    },
    seenBy: { command: status, says: /1 in failed-dispatches/ },
    repairs: [`npm run --silent ops -- purge ${guides} --queue failed-dispatches --yes`],
    provedBy: [status],
  },
  {
    name: 'the processor’s key is gone',
    section: 'Unanswered rows',
    breaks: async ({ emulator }) => {
      const Name = '/tillstack/guides/sandbox/stripe/key';
      await emulator.call('ssm', 'delete_parameter', { Name });
      return Name;
    },
    seenBy: {
      command: `npm run --silent processor -- check ${guides} --url <PublicUrl>`,
      says: /\[ \] the key is not set: use "set"/,
    },
    repairs: [`npm run --silent processor -- set ${guides}`],
    provedBy: [`npm run --silent processor -- check ${guides} --url <PublicUrl>`, check],
  },
  {
    name: 'a first live deployment has failed, and its table stays behind',
    section: 'Upgrade and rollback',
    breaks: async ({ emulator }) => {
      const merchant = { id: 'broken', name: 'Broken', country: 'DE' };
      writeFileSync(join(files, 'broken.json'), JSON.stringify({ merchant }));
      const StackName = 'tillstack-broken-live';
      await emulator.call('cloudformation', 'create_stack', {
        StackName,
        TemplateBody: failing,
        EnableTerminationProtection: true,
      });
      await pause(5_000);
      return StackName;
    },
    seenBy: {
      command: 'npm run --silent ops -- status --merchant broken --stage live --merchants $FILES',
      says: /tillstack-broken-live is ROLLBACK_COMPLETE/,
    },
    repairs: ['npm run --silent ops -- clean --merchant broken --stage live --merchants $FILES --yes'],
    provedBy: ['npm run --silent ops -- clean --merchant broken --stage live --merchants $FILES'],
  },
];

/** The eleven drills. They are in an order in which none depends on another. */
export const drills: readonly Drill[] = [...switchedOff, ...damaged, ...others];
