import { env } from '../env.ts';
import type { PageRequest } from '../http/page.ts';
import { pageHeaders } from '../pages/headers.ts';
import { type Html, html } from '../pages/html.ts';
import type { Locale } from '../pages/locale.ts';
import { frameTexts } from '../texts/texts.ts';
import { documentOf, languageChooser, sandboxStrip, scriptTexts } from './frame.ts';
import { languageOf } from './language.ts';
import { textsOf } from './texts.ts';

/** What a page without a session needs to know. */
export interface Gate {
  merchant: string;
  isSandbox: boolean;
  locale: Locale;
  /** The address of the page, without its parameters. */
  path: string;
}

/** Who sells, and the language of the one who asks. */
export const gateOf = (request: PageRequest): Gate => ({
  merchant: env.merchant().name,
  isSandbox: env.stage() === 'sandbox',
  locale: languageOf(request),
  path: request.path,
});

interface GateContent {
  title: string;
  main: Html;
  statusCode?: number;
  /** What a choice of language keeps in the address; null: the page cannot be opened again. */
  kept?: Readonly<Record<string, string>> | null;
}

/** A page without a session. */
export function gatePage(gate: Gate, { title, main, statusCode = 200, kept = {} }: GateContent) {
  const { merchant, isSandbox, locale } = gate;
  const body = documentOf(
    `${title} · ${merchant}`,
    html`${isSandbox && sandboxStrip(textsOf(frameTexts, gate))}
<main id="main" class="gate"${scriptTexts(textsOf(frameTexts, gate))}>
<p class="merchant"><span class="monogram" aria-hidden="true">${[...merchant][0]}</span><span dir="auto">${merchant}</span></p>
<h1>${title}</h1>
${main}
</main>
${kept && html`<footer>${languageChooser(gate, kept)}</footer>`}`,
    locale,
  );
  return { statusCode, headers: pageHeaders(), body };
}

interface Notice {
  title: string;
  text: string | Html;
  link: { href: string; label: string };
}

/** A few words, and where to go on. */
export const noticeOf = ({ title, text, link }: Notice, locale: Locale): string =>
  documentOf(
    title,
    html`<main id="main" class="gate"><div class="card"><h1>${title}</h1>
<p class="soft">${text}</p>
<p class="submit"><a class="button" href="${link.href}">${link.label}</a></p></div></main>`,
    locale,
  );

/** A text with a command of the command line in it. */
export function withCommand(text: string, command: string): Html {
  const [before = '', after] = text.split('{command}');
  return after === undefined ? html`${before}` : html`${before}<code>${command}</code>${after}`;
}

export const firstKeyCommand = 'npm run keys -- create --access admin';
