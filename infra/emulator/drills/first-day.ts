import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buy } from '../../local/demo/browser.ts';
import type { FakeStripe } from '../../local/stripe/fake-stripe.ts';
import { expectThat } from '../checks/expectation.ts';
import { root } from '../command.ts';
import { timed } from '../say.ts';
import { firstLiveDay } from './guide.ts';
import type { OperatorShell } from './shell.ts';

/** Values that the commands have printed, by their placeholder in the guide. */
export interface LiveShop {
  PublicUrl: string;
  TableName: string;
  key: string;
  product: string;
  payment: string;
}

const patterns: Readonly<Record<keyof LiveShop, RegExp>> = {
  PublicUrl: /^PublicUrl = (\S+)$/m,
  TableName: /^TableName = (\S+)$/m,
  key: /\b(sk_test_\w+)/,
  product: /\b(pdt_\w+)/,
  payment: /\b(pay_\w{21})\b/,
};

/**
 * The folder of the merchant's file, relative to the repository. An absolute path may contain spaces, at which a shell
 * splits words.
 */
const folder = '.data/emulator/guides';
export const files = join(root, folder);

/** Acts like a buyer in a browser: opens the link, pays on Stripe's page, and may come back. */
export async function sellByLink({ PublicUrl, product }: LiveShop, stripe: FakeStripe): Promise<void> {
  const before = stripe.account.sessions.size;
  const headers = { 'sec-fetch-site': 'same-origin' };
  const offer = { method: 'POST', headers, body: new URLSearchParams(), redirect: 'manual' } as const;
  const opened = await fetch(`${PublicUrl}/buy/${product}`, offer);
  const { pathname } = new URL(opened.headers.get('location') ?? '', PublicUrl);
  await buy(PublicUrl + pathname, { country: 'DE', card: '' });
  const page = [...stripe.account.sessions.values()].at(before)?.url ?? '';
  await fetch(page, { method: 'POST', body: new URLSearchParams({ means: '4242424242424242' }), redirect: 'manual' });
  await stripe.tick();
}

/**
 * Values for choices that the guide leaves to its reader. The stage is a sandbox, because a live stack refuses a fake
 * Stripe.
 */
const rehearsed: Readonly<Record<string, string>> = { FILES: folder, STAGE: 'sandbox' };

const beforeTheRun =
  /^(git clone https:\/\/github\.com\/tillstack\/tillstack\.git|cd tillstack|git checkout .+|npm ci)$/;

/**
 * Follows docs/first-live-day.md word for word. It only skips the checkout of the repository, because it already runs
 * in one.
 */
export async function rehearseFirstDay(shell: OperatorShell, stripe: FakeStripe): Promise<LiveShop> {
  const { sections, file } = firstLiveDay();
  const learned: Partial<LiveShop> = {};
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, 'guides.json'), JSON.stringify(file));
  for (const { heading, lines } of sections)
    await timed(`First live day: ${heading}`, async () => {
      if (heading.endsWith('Sell')) await sellByLink(learned as LiveShop, stripe);
      for (const line of lines.filter((one) => !beforeTheRun.test(one))) await follow(shell, line, learned);
    });
  expectThat(
    'every placeholder of the guide is printed by a command',
    Object.keys(learned).sort(),
    Object.keys(patterns).sort(),
  );
  expectThat(
    'Stripe’s ledger has the sale and its refund',
    stripe.ledger().map(({ paid, refunded }) => [paid, refunded]),
    [[1_999, 1_999]],
  );
  expectThat('the invoice is a PDF', readFileSync(join(files, 'invoice.pdf')).subarray(0, 5).toString(), '%PDF-');
  const sales: unknown = JSON.parse(readFileSync(join(files, 'sales.json'), 'utf8'));
  expectThat('the sale is exported', JSON.stringify(sales).includes(String(learned.payment)), true);
  return learned as LiveShop;
}

async function follow(shell: OperatorShell, line: string, learned: Partial<LiveShop>): Promise<void> {
  const filled = line.replace(/<(\w+)>/g, (_, name: keyof LiveShop) => learned[name] ?? `<${name}>`);
  if (filled.includes('<')) throw new Error(`${filled}\nnames something that no command has printed.`);
  const [, name, value] = /^export (\w+)=(.*)$/.exec(filled) ?? [];
  if (name !== undefined && value !== undefined) return shell.export(name, rehearsed[name] ?? value);
  const isList = filled.endsWith('payments list');
  learnFrom(isList ? await shell.until(filled, /succeeded/) : await shell.run(filled), learned);
}

/** Stores values that a command has printed. The first value is kept, so a second sale does not replace it. */
function learnFrom(said: string, learned: Partial<LiveShop>): void {
  for (const [name, pattern] of Object.entries(patterns) as [keyof LiveShop, RegExp][]) {
    const found = pattern.exec(said)?.[1];
    if (found !== undefined) learned[name] ??= found;
  }
}
