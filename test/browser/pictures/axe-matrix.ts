import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../support/shop/browser.ts';
import type { BrowserShop } from '../shop.ts';
import { type AxeFinding, audit, isReviewed } from './axe-report.ts';
import { buyerStates } from './buyer-states.ts';
import { type PageState, pageStates } from './page-states.ts';
import { asHighAsItsPage, openPictureShop, schemes, signedIn, widths } from './picture-frames.ts';

/** The languages of buyers' pages, one of them read from the right. The dashboard's are others. */
const languages = { merchants: ['en-US', 'de-DE'], buyers: ['en-US', 'ar-EG'] } as const;

/** Reports what axe finds on every state of the pages, in each width, colour scheme and in two languages. */
async function findEverywhere(words: readonly string[]): Promise<{ pages: number; findings: AxeFinding[] }> {
  const [shop, browser] = await Promise.all([openPictureShop(), launchBrowser()]);
  const states = [...pageStates, ...buyerStates];
  const chosen = states.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const findings: AxeFinding[] = [];
  try {
    for (const [side, locales] of Object.entries(languages))
      for (const locale of locales) {
        const states = chosen.filter(({ isMerchants = false }) => isMerchants === (side === 'merchants'));
        if (states.length > 0) findings.push(...(await findIn(locale, states, shop, browser)));
      }
  } finally {
    await browser.close();
    await shop.stop();
  }
  return { pages: chosen.length * 2 * widths.length * schemes.length, findings };
}

async function findIn(
  locale: string,
  states: readonly PageState[],
  shop: BrowserShop,
  browser: Browser,
): Promise<AxeFinding[]> {
  const context = await contextOf(locale, states, shop, browser);
  const findings: AxeFinding[] = [];
  for (const state of states) {
    const page = await context.newPage();
    await state.reach(page, shop);
    findings.push(...(await findOn(page, `${state.name} ${locale}`)));
    await page.close();
  }
  await context.close();
  return findings;
}

/** A browser in a language. A merchant signs in first. */
async function contextOf(
  locale: string,
  states: readonly PageState[],
  shop: BrowserShop,
  browser: Browser,
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale });
  if (!states.some(({ isMerchants }) => isMerchants)) return context;
  const english = await browser.newContext({ locale: 'en-US' });
  await signedIn(english, shop.url);
  await context.addCookies(await english.cookies());
  await english.close();
  return context;
}

async function findOn(page: Page, where: string): Promise<AxeFinding[]> {
  const findings: AxeFinding[] = [];
  for (const width of widths)
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await asHighAsItsPage(page, width);
      findings.push(...(await audit(page, `${where} ${width} ${colorScheme}`)));
    }
  return findings;
}

/** Each finding once, with the number of pages and the first of them. */
function report(findings: readonly AxeFinding[]): string[] {
  const byText = Map.groupBy(findings, ({ rule, target, reason }) => `${rule} · ${target} · ${reason}`);
  return [...byText].map(([text, all]) => `  ${text} (${all.length}, first on ${all[0]?.where})`);
}

const { pages, findings } = await findEverywhere(process.argv.slice(2));
const violations = findings.filter(({ isViolation }) => isViolation);
const undecided = findings.filter(({ isViolation }) => !isViolation);
const open = undecided.filter((finding) => !isReviewed(finding));
console.log(
  `${pages} pages: ${violations.length} violations, ${undecided.length} undecided, ${open.length} of them not looked at.`,
);
for (const [title, some] of [
  ['Violations', violations],
  ['Undecided, not looked at', open],
] as const)
  if (some.length > 0) console.log([`${title}:`, ...report(some)].join('\n'));
process.exitCode = violations.length + open.length > 0 ? 1 : 0;
