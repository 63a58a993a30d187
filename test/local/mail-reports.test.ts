import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { mailReportRule } from '../../infra/endpoints.ts';
import { startMailReports } from '../../infra/local/mail-reports.ts';
import { folderMailer } from '../../shared/outside/mail/folder-mailer.ts';
import { readMailReport } from '../../shared/outside/mail/read-mail-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'played-'));
afterAll(() => rmSync(folder, { recursive: true }));

const mailer = folderMailer(folder, { now: () => new Date('2026-03-01T12:00:05.000Z') });
const tag = { subjectId: 'pay_1', attempt: '20260301T120005000Z', orderLink: 0 };
const mail = {
  from: { name: 'Example Books', address: 'receipts@example.com' },
  ...{ replyTo: null, subject: 'Your invoice', text: 'Thank you!', html: '<p>Thank you!</p>' },
};
const simulator = (name: string) => `${name}@simulator.amazonses.com`;

it('the sandbox reports the delivery of each mail with a document, like SES’s simulator addresses', async () => {
  await mailer.send({ ...mail, to: simulator('bounce'), tag }); // of an earlier run
  const called: [string, ReturnType<typeof readMailReport>][] = [];
  const invoke = async (name: string, event: unknown) => void called.push([name, readMailReport(event, undefined)]);
  const reports = startMailReports({ folder, invoke, everyMs: 5 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const addresses = [
    ...['bounce', 'bounce+order-7', 'complaint', 'ooto', 'suppressionlist', 'success'].map(simulator),
    'bounce@example.com',
  ];
  for (const [index, to] of addresses.entries()) await mailer.send({ ...mail, to, tag: { ...tag, orderLink: index } });
  await mailer.send({ ...mail, to: simulator('bounce') }); // a mail to a member has no tag
  await vi.waitFor(() => expect(called.at(-1)?.[1]?.tag.orderLink).toBe(addresses.length - 1));
  await reports.stop();
  expect(new Set(called.map(([name]) => name))).toEqual(new Set([mailReportRule.function]));
  const told = called.map(([, report]) =>
    `${report?.tag.orderLink} ${report?.note.what} ${report?.note.reason ?? ''}`.trim(),
  );
  expect(told).toEqual([
    ...['0 bounced unknown_address', '1 bounced unknown_address', '2 delivered', '2 complained'],
    ...['3 delivered', '3 bounced other', '4 bounced suppressed', '5 delivered', '6 delivered'],
  ]);
});
