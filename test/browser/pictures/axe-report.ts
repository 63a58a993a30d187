import type { Page } from 'playwright-core';
import { axe } from '../shop.ts';

/** What axe says of one element. */
export interface AxeFinding {
  where: string;
  rule: string;
  target: string;
  reason: string;
  /** Or undecided: a person has to look. */
  isViolation: boolean;
}

interface Result {
  id: string;
  nodes: { target: string[]; any: { message: string }[]; all: { message: string }[]; none: { message: string }[] }[];
}

/** What axe-core finds and what it cannot decide, by WCAG 2.2 AA and its best practices. */
export async function audit(page: Page, where: string): Promise<AxeFinding[]> {
  await page.evaluate(axe);
  const { violations, incomplete }: { violations: Result[]; incomplete: Result[] } = await page.evaluate(
    'axe.run(document, { resultTypes: ["violations", "incomplete"], rules: { "target-size": { enabled: true } } })',
  );
  const findings = (results: Result[], isViolation: boolean) =>
    results.flatMap(({ id: rule, nodes }) =>
      nodes.map(({ target, any, all, none }) => {
        const reason = [...any, ...all, ...none][0]?.message ?? '';
        return { where, rule, target: target.join(' '), reason, isViolation };
      }),
    );
  return [...findings(violations, true), ...findings(incomplete, false)];
}

/** What axe cannot decide, mostly about contrast: each was looked at in light and dark, and says what was seen. */
const reviewed: readonly { rule?: string; reason: RegExp; target: RegExp; seen: string }[] = [
  {
    rule: 'frame-tested',
    reason: /still has to be tested/,
    target: /^iframe(?:$|\[title=)/,
    seen: 'A frame with an example of a mail runs no script, not axe either. The browser tests have axe look at mails by themselves.',
  },
  {
    reason: /background gradient/,
    target:
      /^#(?:country|region|language|link_language|mail-language|mail-brand|brand_id|currency|place|product|status|duration_interval|flat_currency_\d|market_(?:country|currency|tax)_new)$/,
    seen: 'The gradient is the arrow of a list, beside its text, which has the colours of every other field.',
  },
  {
    reason: /only non-text characters/,
    target: /^button\[value=".+:-1"\]/,
    seen: 'The minus of a quantity has the colour of the text, in a button with an edge.',
  },
  {
    rule: 'label-content-name-mismatch',
    reason: /Unable to determine/,
    target: /^button\[value=".+:-?1"\]/,
    seen: 'The signs of a quantity are hidden from names, which say “One less” and “One more”.',
  },
  { reason: /has no value/, target: /^#/, seen: 'An empty field shows no text.' },
  {
    reason: /contains an image node/,
    target: /text\[x="[\d.]+%"\](?:\[text-anchor="start"\])?$/,
    seen: 'The days below a chart stand on the ground of the card, in the colour of other quiet text.',
  },
];

export const isReviewed = ({ rule, reason, target }: AxeFinding): boolean =>
  reviewed.some((one) => rule === (one.rule ?? 'color-contrast') && one.reason.test(reason) && one.target.test(target));
