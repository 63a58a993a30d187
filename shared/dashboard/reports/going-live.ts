import type { stepsToGoLive } from '../../domain/reports/going-live.ts';
import { type Html, html } from '../../pages/html.ts';

type Step = ReturnType<typeof stepsToGoLive>[number];

/** What each step is, and how it is done. */
const texts: Readonly<Record<Step['step'], Html>> = {
  product: html`<a href="/dashboard/products/new">Create a product</a>.`,
  live: html`Open the API: set <code>"live": true</code> in the merchant’s file, and deploy.`,
  processor: html`Name a processor: add <code>"processor": {"name": "stripe"}</code> to the live stage of the merchant’s file, and deploy.`,
  key: html`Store the processor’s key with <code>npm run processor -- set</code>, then let <code>check</code> say what is missing. This step is done with the first payment that the processor answers.`,
  tax: html`<a href="/dashboard/tax">Add the places where you collect tax</a>. Until then, no tax is collected.`,
  sale: html`Receive the first payment: buy something yourself, and refund it.`,
};

/** The list of what is missing until the stack sells. It ticks itself off, and is gone when all is done. */
export const goingLiveCard = (steps: readonly Step[]): Html =>
  html`<section class="card" aria-labelledby="going-live-title"><h2 id="going-live-title">Before you can sell</h2>
<p class="lead">${steps.filter(({ isDone }) => isDone).length} of ${steps.length} steps are done. Your operator’s guide is “Take live payments”.</p>
<ul class="steps">${steps.map(
    ({
      step,
      isDone,
    }) => html`<li>${isDone ? html`<strong>Done:</strong>` : html`<strong>Missing:</strong>`} ${texts[step]}</li>
`,
  )}</ul></section>`;
