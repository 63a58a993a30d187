import { mayOpen } from '../../domain/access/dashboard-pages.ts';
import type { stepsToGoLive } from '../../domain/reports/going-live.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { Frame } from '../frame.ts';
import { card } from '../parts.ts';
import { type Texts, withMarkup } from '../texts.ts';

type Step = ReturnType<typeof stepsToGoLive>[number];

interface Shown extends Frame {
  processorSetting: string;
}

/** Values for the text of a step: links, and commands. */
const slots: Readonly<Record<Step['step'], (t: Texts<TextKey<'reports'>>, shown: Shown) => Record<string, Html>>> = {
  product: (t, { viewer }) => {
    const [path, text] = ['/dashboard/products/new', t('createProduct')];
    return { link: mayOpen(viewer, path) ? html`<a href="${path}">${text}</a>` : html`${text}` };
  },
  live: () => ({ setting: html`<code>"live": true</code>` }),
  processor: (_, { processorSetting }) => ({ setting: html`<code>${processorSetting}</code>` }),
  key: () => ({ set: html`<code>npm run processor -- set</code>`, check: html`<code>check</code>` }),
  tax: (t) => ({ link: html`<a href="/dashboard/tax">${t('live.tax.link')}</a>` }),
  texts: () => ({}),
  sale: () => ({}),
  trial: () => ({}),
  deploy: (t) => ({ link: html`<a href="/docs/go-live">${t('live.deploy.link')}</a>` }),
};

/**
 * The list of steps before the merchant can sell. Finished steps are ticked off. On a live stack, the list disappears
 * when all are finished.
 */
export function goingLiveCard(steps: readonly Step[], shown: Shown, t: Texts<TextKey<'reports'>>): Html {
  const done = steps.filter(({ isDone }) => isDone).length;
  return card(
    { name: 'going-live', title: t(shown.isSandbox ? 'live.title.sandbox' : 'live.title') },
    html`<p class="lead">${t('live.lead', { done: String(done), all: String(steps.length) })}</p>
<ul class="steps">${steps.map(
      ({
        step,
        isDone,
      }) => html`<li><strong>${t(isDone ? 'live.done' : 'live.missing')}</strong> ${withMarkup(t(`live.${step}`), slots[step](t, shown))}</li>
`,
    )}</ul>`,
  );
}
